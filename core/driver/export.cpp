#include "driver/export.h"
#include "driver/size_bounds.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/output_hash.h"
#include "base/sink.h"
#include "base/text.h"
#include "ops/schema_parser.h"
#include "passes/kernel_call.h"
#include "passes/pass.h"

namespace exportdeck::driver {

namespace {

namespace fs = std::filesystem;

std::string withEnding(const std::string& output, std::string_view ending) {
  std::string stem = output;
  if (stem.ends_with(".pte")) stem.resize(stem.size() - 4);
  return stem + std::string(ending);
}

// Covers what the archive's directory says of every entry: names, sizes and checksums, and so the weights too.
std::string directoryHash(const pt2::Archive& archive) {
  std::string text;
  std::vector<std::string> names = archive.names();
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const auto* entry = archive.find(name);
    text += concat(name, ' ', entry->size, ' ', entry->crc, '\n');
  }
  return hashOf(text);
}

// One export: the stages in order, with what one leaves for the next.
class Export {
 public:
  Export(const ExportRequest& request, DiagnosticSink& diagnostics, const Context& context)
      : request_(request), diagnostics_(diagnostics), context_(context) {
    report_.source = request.source;
    report_.output = request.output;
    report_.backend = request.backend;
    report_.options = request.options;
    report_.runtimeProfile = request.runtime.name();
    report_.runtimeMeaning = request.runtime.meaning();
    report_.recorded = request.recorded;
  }

  ExportReport run() {
    const auto started = std::chrono::steady_clock::now();
    prepare();
    timed("read", [&] { read(); });
    timed("lower", [&] { lower(); });
    timed("partition", [&] { partition(); });
    timed("write", [&](const Stage&) { write(); });
    if (request_.verify) timed("verify", [&] { verify(); });
    report_.diagnostics = diagnostics_.all();
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    timed("publish", [&] { publish(); });
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return std::move(report_);
  }

 private:
  template <typename Work>
  void timed(const char* name, Work work) {
    const Stage stage(context_, name);
    if constexpr (std::is_invocable_v<Work, const Stage&>) {
      work(stage);
    } else {
      work();
    }
    report_.stages.push_back({name, stage.seconds()});
  }

  // What can be refused before anything is read.
  void prepare() {
    backend_ = backends::BackendRegistry::instance().find(request_.backend);
    check(backend_ != nullptr, concat("the backend ", request_.backend, " has no native lowering"));
    if (request_.output.empty()) throw ExportError(Code::Usage, "the output has no name", {"give the path of a file"});
    // What is written beside the output replaces what has its name.
    for (const std::string& path : {request_.output, sidecarPath(request_.output), rejectedPath(request_.output)}) {
      std::error_code ignored;
      if (fs::equivalent(request_.source, path, ignored)) {
        throw ExportError(Code::Usage, concat("the output ", path, " is the source itself"),
                          {"choose another output name"});
      }
    }
    std::error_code ignored;
    if (!request_.replace && fs::is_regular_file(request_.output, ignored)) {
      throw ExportError(Code::OutputExists, concat("the output ", request_.output, " exists"),
                        {"give --force to replace it", "choose another output name"});
    }
  }

  void read() {
    program_ = pt2::readProgram(request_.source, context_, sizeBounds(request_.options));
    report_.symbols = sizesToJson(*program_.graph);
    const auto archive = pt2::Archive::open(request_.source);
    report_.sourceBytes = archive->file()->size();
    report_.sourceHash = directoryHash(*archive);
    if (!request_.expectedSourceHash.empty() && report_.sourceHash != request_.expectedSourceHash) {
      throw ExportError(Code::RepeatDiffers,
                        concat("the source ", request_.source, " has changed since the export that is to be repeated"),
                        {"give the source's path too to export it as it is now with the recorded options"});
    }
    report_.torchVersion = program_.torchVersion;
    report_.schema = concat(program_.schemaMajor, ".", program_.schemaMinor);
    report_.operators = program_.operatorCounts;
    report_.parameterCount = program_.parameterCount;
    report_.parameterBytes = program_.parameterBytes;
    dump("read", *program_.graph);
  }

  void lower() {
    passes::PassContext pass{context_, diagnostics_,
                             [&](const ir::Node& node) { return backend_->keepsWhole(node, request_.options); }};
    pass.runtime = &request_.runtime;
    ProgramEvaluator evaluator(request_.evaluate, context_);
    if (request_.evaluate) pass.evaluator = &evaluator;
    runPasses(passes::loweringPasses(), pass);
    for (const ir::Update& update : program_.graph->updates()) {
      if (update.target->isInput()) report_.changedInputs.push_back(update.target->name());
    }
  }

  void partition() {
    report_.coverage = backends::partitionAndLower(*program_.graph, *backend_, request_.options, context_);
    dump("partition", *program_.graph);
    passes::PassContext pass{context_, diagnostics_, [](const ir::Node&) { return false; }};
    pass.runtime = &request_.runtime;
    pass.advise = [&](const ir::Node& node) { return advice(node); };
    runPasses(passes::finishingPasses(), pass);
  }

  // On a node that needs a kernel: why it is in no delegate, and which other backend would take it.
  passes::PassContext::Advice advice(const ir::Node& node) const {
    passes::PassContext::Advice out;
    const auto& covered = report_.coverage.nodes;
    const auto entry = std::find_if(covered.begin(), covered.end(), [&](const backends::NodeCoverage& item) {
      return !item.delegated && item.op == node.op() && item.origin == node.originPtr();
    });
    if (entry != covered.end()) {
      out.why = concat("it is in no delegate: ", entry->reason);
      if (!entry->fix.empty()) out.fixes.push_back(entry->fix);
    }
    const backends::BackendRegistry& registry = backends::BackendRegistry::instance();
    for (const std::string& id : registry.ids()) {
      const backends::Backend* backend = registry.find(id);
      if (backend == backend_) continue;
      const auto& catalogued = options::Catalogue::builtIn().require(id, "native");
      if (!backend->judge(node, options::OptionSet(catalogued.exportOptions)).taken) continue;
      out.fixes.push_back(concat("Export with --backend ", id, ", which takes it into a delegate"));
    }
    return out;
  }

  // The writer calls a kernel for a view that needs bytes of its own, and casts may have been put around a call.
  void checkKernels() const {
    std::vector<Diagnostic> problems;
    for (const std::string& kernel : report_.written.kernels) {
      if (request_.runtime.has(kernel)) continue;
      for (const ir::Node* node : program_.graph->nodeList()) {
        const ops::KernelInfo* called = node->is(ir::kDelegateOp) ? nullptr : ops::kernelFor(node->op());
        if (!called || ops::registryName(called->schema->name) != kernel) continue;
        problems.push_back(passes::kernelMissing(*node, kernel, request_.runtime, {}));
        break;
      }
    }
    passes::refuse(problems, diagnostics_);
  }

  void runPasses(const std::vector<passes::Pass>& list, passes::PassContext& pass) {
    passes::runPasses(*program_.graph, list, pass,
                      [&](int, const char* name, const ir::Graph& graph) { dump(name, graph); });
  }

  void write() {
    output_ = std::make_unique<OutputFile>(request_.output);
    pte::WriteOptions options;
    options.planInputs = request_.options.boolean("plan_inputs");
    options.planOutputs = request_.options.boolean("plan_outputs");
    options.alignment = static_cast<uint32_t>(request_.options.integer("alignment"));
    options.segmentAlignment = static_cast<uint32_t>(request_.options.integer("segment_alignment"));
    std::error_code ignored;
    std::optional<OutputHash> hash;
    if (!fs::is_character_file(request_.output, ignored)) {
      hash.emplace(output_->readablePath());
      output_->observe([&](uint64_t position) { hash->reached(position); });
    }
    report_.written = pte::writeProgram(*program_.graph, options, *output_, context_);
    output_->observe({});
    report_.written.plan.buffers.clear();
    checkKernels();
    output_->flush(context_);
    if (!hash) {
      throw ExportError(Code::FileUnwritable,
                        concat("a program cannot be kept in ", request_.output, ": it is a device"),
                        {"choose another output name"});
    }
    report_.outputHash = hash->finish(output_->position());
    if (!request_.expectedOutputHash.empty() && report_.outputHash != request_.expectedOutputHash) {
      diagnostics_.report({Code::RepeatDiffers,
                           Severity::Warning,
                           "the repeated export makes another program than the recorded one",
                           {},
                           "the record is of another version of ExportDeck, or a file that it names has changed",
                           {}});
    }
  }

  void verify() {
    try {
      report_.verification = request_.verify(output_->readablePath(), program_);
    } catch (const ExportError& error) {
      if (request_.keepRejected && error.exitCode() == ExitCode::CheckedAndWrong) keepRejected();
      throw;
    }
  }

  void keepRejected() {
    OutputFile rejected(rejectedPath(request_.output));
    const auto written = InputFile::open(output_->readablePath());
    rejected.copy({written, 0, written->size()}, context_);
    rejected.publish(true);
    context_.progress.log(LogLevel::Warning, concat("the rejected program was kept as ", rejected.path()));
  }

  void publish() {
    context_.throwIfStopped();
    const std::string text = toJson(report_).dump(2) + "\n";
    OutputFile sidecar(sidecarPath(request_.output));
    sidecar.write(std::as_bytes(std::span(text)));
    sidecar.flush(context_);
    output_->publish(request_.replace);
    sidecar.publish(true);
  }

  void dump(const char* name, const ir::Graph& graph) {
    if (request_.dumpDirectory.empty()) return;
    std::error_code error;
    fs::create_directories(request_.dumpDirectory, error);
    if (error) {
      throw ExportError(Code::FileUnwritable,
                        concat("cannot make the folder ", request_.dumpDirectory, ": ", error.message()),
                        {"choose another folder for --dump-ir"});
    }
    char file[64];
    std::snprintf(file, sizeof file, "%02d-%s.txt", dumps_++, name);
    writeFileAtomically((fs::path(request_.dumpDirectory) / file).string(), ir::print(graph), true);
  }

  const ExportRequest& request_;
  DiagnosticSink& diagnostics_;
  const Context& context_;
  ExportReport report_;
  const backends::Backend* backend_ = nullptr;
  pt2::ExportedProgram program_;
  std::unique_ptr<OutputFile> output_;
  int dumps_ = 0;
};

}  // namespace

std::vector<std::string> stageNames(bool verifies) {
  std::vector<std::string> names{"read", "lower", "partition", "write", "verify", "publish"};
  if (!verifies) std::erase(names, "verify");
  return names;
}

std::string sidecarPath(const std::string& output) {
  return withEnding(output, ".export.json");
}
std::string rejectedPath(const std::string& output) {
  return withEnding(output, ".rejected");
}

ExportReport exportProgram(const ExportRequest& request, DiagnosticSink& diagnostics, const Context& context) {
  return Export(request, diagnostics, context).run();
}

}  // namespace exportdeck::driver
