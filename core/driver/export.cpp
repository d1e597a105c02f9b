#include "driver/export.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "base/output_hash.h"
#include "base/publish.h"
#include "base/text.h"
#include "driver/float_twin.h"
#include "driver/method_export.h"
#include "driver/quantisation.h"
#include "driver/size_bounds.h"
#include "pte/external_data.h"

namespace exportdeck::driver {

namespace {

namespace fs = std::filesystem;

std::string withEnding(const std::string& output, std::string_view ending) {
  std::string stem = output;
  if (stem.ends_with(".pte")) stem.resize(stem.size() - 4);
  return stem + std::string(ending);
}

// A file that is hashed while it is written.
class HashedFile {
 public:
  explicit HashedFile(const std::string& path) : file_(path) {
    std::error_code ignored;
    if (fs::is_character_file(path, ignored)) return;
    hash_.emplace(file_.readablePath());
    file_.observe([this](uint64_t position) { hash_->reached(position); });
  }
  OutputFile& file() { return file_; }
  std::string finish(const Context& context) {
    file_.observe({});
    file_.flush(context);
    if (!hash_) {
      throw ExportError(Code::FileUnwritable, concat("a program cannot be kept in ", file_.path(), ": it is a device"),
                        {"choose another output name"});
    }
    return hash_->finish(file_.position());
  }

 private:
  OutputFile file_;
  std::optional<OutputHash> hash_;
};

bool compares(const ExportRequest& request) {
  return request.compare && request.options.boolean("quantize_error") && quantisationOf(request.options);
}

// One export: the stages in order, with what one leaves for the next.
class Export {
 public:
  Export(const ExportRequest& request, DiagnosticSink& diagnostics, const Context& context)
      : request_(request), diagnostics_(diagnostics), context_(context), dumps_(request.dumpDirectory) {
    report_.output = request.output;
    report_.backend = request.backend;
    report_.options = request.options;
    report_.runtimeProfile = request.runtime.name();
    report_.runtimeMeaning = request.runtime.meaning();
    report_.recorded = request.recorded;
    if (request.options.boolean("external_constants")) report_.external = externalPath(request.output);
  }

  ExportReport run() {
    const auto started = std::chrono::steady_clock::now();
    prepare();
    timed("read", [&] { read(); });
    timed("lower", [&] {
      for (MethodExport& method : methods_) method.lower();
    });
    timed("partition", [&] {
      for (MethodExport& method : methods_) method.partition();
    });
    timed("write", [&] { write(); });
    if (request_.verify) timed("verify", [&] { verify(); });
    if (compares(request_)) timed("compare", [&] { compare(); });
    for (MethodExport& method : methods_) report_.methods.push_back(std::move(method.report()));
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
    work();
    report_.stages.push_back({name, stage.seconds()});
  }

  std::vector<std::string> outputs() const {
    std::vector<std::string> paths{request_.output, sidecarPath(request_.output), rejectedPath(request_.output)};
    if (!report_.external.empty()) paths.push_back(report_.external);
    return paths;
  }

  // What can be refused before anything is read.
  void prepare() {
    const backends::Backend* backend = backends::BackendRegistry::instance().find(request_.backend);
    check(backend != nullptr, concat("the backend ", request_.backend, " has no native lowering"));
    if (request_.output.empty()) throw ExportError(Code::Usage, "the output has no name", {"give the path of a file"});
    std::vector<MethodSource> sources{request_.method};
    sources.insert(sources.end(), request_.furtherMethods.begin(), request_.furtherMethods.end());
    for (const MethodSource& source : sources) {
      refuseToReplace(source.path);
      methods_.emplace_back(source, request_, *backend, dumps_, diagnostics_, context_);
    }
    for (const std::string& path : {request_.output, report_.external}) {
      std::error_code ignored;
      if (request_.replace || path.empty() || !fs::is_regular_file(path, ignored)) continue;
      throw ExportError(Code::OutputExists, concat("the output ", path, " exists"),
                        {"give --force to replace it", "choose another output name"});
    }
  }

  // What is written beside the output replaces what has its name.
  void refuseToReplace(const std::string& source) const {
    for (const std::string& path : outputs()) {
      std::error_code ignored;
      if (!fs::equivalent(source, path, ignored)) continue;
      throw ExportError(Code::Usage, concat("the output ", path, " is the source itself"),
                        {"choose another output name"});
    }
  }

  void read() {
    const pt2::SizeBounds bounds = sizeBounds(request_.options);
    if (methods_.size() == 1) return methods_.front().read(bounds);
    for (MethodExport& method : methods_) method.read(boundsIn(method.source().path, bounds, context_));
    requireUsed(bounds);
  }

  void requireUsed(const pt2::SizeBounds& bounds) {
    for (const auto& [symbol, bound] : bounds) {
      const bool used = std::any_of(methods_.begin(), methods_.end(), [&, &name = symbol](MethodExport& method) {
        return ir::symbolsOf(*method.program().graph).contains(name);
      });
      if (used) continue;
      throw ExportError(Code::OptionInvalid,
                        concat("the option bound names the size ", symbol, ", which no method has"),
                        {"exportdeck inspect shows the sizes of a program"});
    }
  }

  void write() {
    if (!report_.external.empty()) external_ = std::make_unique<HashedFile>(report_.external);
    output_ = std::make_unique<HashedFile>(request_.output);
    report_.written = pte::writeProgram(graphsOf(methods_), writeOptions(request_.options), output_->file(), context_,
                                        external_ ? &external_->file() : nullptr);
    for (size_t i = 0; i < methods_.size(); ++i) {
      report_.written.methods[i].plan.buffers.clear();
      methods_[i].checkKernels(report_.written.methods[i]);
    }
    report_.outputHash = output_->finish(context_);
    if (external_ && report_.written.externalBytes == 0) {
      noteNothingExternal();
    } else if (external_) {
      report_.externalHash = external_->finish(context_);
    }
    warnOfOtherProgram();
  }

  // All constants are too small, or there are none.
  void noteNothingExternal() {
    external_.reset();
    report_.external.clear();
    diagnostics_.report(
        {Code::OptionInvalid,
         Severity::Info,
         "no constant was put into a file of its own",
         {},
         concat("the program has none of ", pte::kSmallestExternal, " bytes or more outside its delegates"),
         {}});
  }

  void warnOfOtherProgram() {
    if (request_.expectedOutputHash.empty() || report_.outputHash == request_.expectedOutputHash) return;
    diagnostics_.report({Code::RepeatDiffers,
                         Severity::Warning,
                         "the repeated export makes another program than the recorded one",
                         {},
                         "the record is of another version of ExportDeck, or a file that it names has changed",
                         {}});
  }

  Unpublished unpublished(const MethodExport& method) const {
    return {output_->file().readablePath(), external_ ? external_->file().readablePath() : std::string(),
            method.source(), method.program(), method.isQuantised()};
  }

  void compare() {
    const bool quantised = std::any_of(methods_.begin(), methods_.end(), [](const auto& m) { return m.isQuantised(); });
    if (!quantised) return;
    const FloatTwin twin(request_, context_);
    for (MethodExport& method : methods_)
      method.report().quantisation["error"] = request_.compare(unpublished(method), twin.path());
  }

  void verify() {
    try {
      for (MethodExport& method : methods_) method.report().verification = request_.verify(unpublished(method));
    } catch (const ExportError& error) {
      if (request_.keepRejected && error.exitCode() == ExitCode::CheckedAndWrong) keepRejected();
      throw;
    }
  }

  void keepRejected() {
    OutputFile rejected(rejectedPath(request_.output));
    const auto written = InputFile::open(output_->file().readablePath());
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
    if (external_) {
      publishTogether({&external_->file(), &output_->file()}, request_.replace);
    } else {
      output_->file().publish(request_.replace);
    }
    sidecar.publish(true);
  }

  const ExportRequest& request_;
  DiagnosticSink& diagnostics_;
  const Context& context_;
  GraphDumps dumps_;
  ExportReport report_;
  std::vector<MethodExport> methods_;
  std::unique_ptr<HashedFile> output_, external_;
};

}  // namespace

std::vector<std::string> stageNames(const ExportRequest& request) {
  std::vector<std::string> names{"read", "lower", "partition", "write"};
  if (request.verify) names.push_back("verify");
  if (compares(request)) names.push_back("compare");
  names.push_back("publish");
  return names;
}

std::string sidecarPath(const std::string& output) {
  return withEnding(output, ".export.json");
}
std::string rejectedPath(const std::string& output) {
  return withEnding(output, ".rejected");
}
std::string externalPath(const std::string& output) {
  return withEnding(output, ".ptd");
}

ExportReport exportProgram(const ExportRequest& request, DiagnosticSink& diagnostics, const Context& context) {
  return Export(request, diagnostics, context).run();
}

}  // namespace exportdeck::driver
