#include "driver/method_export.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/sink.h"
#include "base/text.h"
#include "driver/quantisation.h"
#include "driver/size_bounds.h"
#include "ops/schema_parser.h"
#include "passes/kernel_call.h"

namespace exportdeck::driver {

namespace {

namespace fs = std::filesystem;

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

}  // namespace

void GraphDumps::add(const std::string& name, const ir::Graph& graph) {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) {
    throw ExportError(Code::FileUnwritable, concat("cannot make the folder ", folder_, ": ", error.message()),
                      {"choose another folder for --dump-ir"});
  }
  char number[16];
  std::snprintf(number, sizeof number, "%02d-", count_++);
  writeFileAtomically((fs::path(folder_) / concat(number, name, ".txt")).string(), ir::print(graph), true);
}

MethodExport::MethodExport(MethodSource source, const ExportRequest& request, const backends::Backend& backend,
                           GraphDumps& dumps, DiagnosticSink& diagnostics, const Context& context)
    : source_(std::move(source)),
      request_(request),
      backend_(backend),
      dumps_(dumps),
      diagnostics_(diagnostics),
      context_(context) {
  report_.name = source_.name;
  report_.source = source_.path;
}

void MethodExport::read(const pt2::SizeBounds& bounds) {
  program_ = pt2::readProgram(source_.path, context_, bounds);
  program_.graph->setName(source_.name);
  report_.symbols = sizesToJson(*program_.graph);
  const auto archive = pt2::Archive::open(source_.path);
  report_.sourceBytes = archive->file()->size();
  report_.sourceHash = directoryHash(*archive);
  if (!source_.expectedHash.empty() && report_.sourceHash != source_.expectedHash) {
    throw ExportError(Code::RepeatDiffers,
                      concat("the source ", source_.path, " has changed since the export that is to be repeated"),
                      {"give the source's path too to export it as it is now with the recorded options"});
  }
  report_.torchVersion = program_.torchVersion;
  report_.schema = concat(program_.schemaMajor, ".", program_.schemaMinor);
  report_.operators = program_.operatorCounts;
  report_.parameterCount = program_.parameterCount;
  report_.parameterBytes = program_.parameterBytes;
  dump("read");
}

void MethodExport::lower() {
  passes::PassContext pass{context_, diagnostics_,
                           [&](const ir::Node& node) { return backend_.keepsWhole(node, request_.options); }};
  pass.runtime = &request_.runtime;
  ProgramEvaluator evaluator(request_.evaluate, context_);
  if (request_.evaluate) pass.evaluator = &evaluator;
  const auto quantisation = quantisationOf(request_.options);
  if (quantisation) pass.quantisation = &*quantisation;
  pass.quantised = &quantised_;
  runPasses(passes::loweringPasses(), pass);
  if (quantisation) {
    report_.quantisation = quantisationToJson(quantised_);
    warnOfKeptWeights();
  }
  for (const ir::Update& update : program_.graph->updates()) {
    if (update.target->isInput()) report_.changedInputs.push_back(update.target->name());
  }
}

bool MethodExport::isQuantised() const {
  return std::any_of(quantised_.begin(), quantised_.end(), [](const auto& entry) { return !entry.form.empty(); });
}

// Those that the user did not leave out.
void MethodExport::warnOfKeptWeights() const {
  const auto isUnwished = [](const passes::QuantisedWeight& entry) { return !entry.reason.empty() && !entry.isByName; };
  const auto first = std::find_if(quantised_.begin(), quantised_.end(), isUnwished);
  const auto count = std::count_if(quantised_.begin(), quantised_.end(), isUnwished);
  if (!isQuantised()) {
    diagnostics_.report({Code::WeightsKept,
                         Severity::Warning,
                         concat("nothing of the method ", source_.name, " was quantised"),
                         {},
                         first != quantised_.end() ? concat("of ", first->weight, ", ", first->reason)
                         : quantised_.empty()      ? "it has no linear layer or embedding with a known weight"
                                                   : "the options leave out all of its weights",
                         {"look at the options quantize, quantize_embeddings, quantize_only and quantize_except"}});
  } else if (count > 0) {
    diagnostics_.report({Code::WeightsKept,
                         Severity::Warning,
                         concat(count, count == 1 ? " weight was" : " weights were",
                                " not quantised, the first of them ", first->weight),
                         {},
                         first->reason,
                         {}});
  }
}

void MethodExport::partition() {
  report_.coverage = backends::partitionAndLower(*program_.graph, backend_, request_.options, context_);
  dump("partition");
  passes::PassContext pass{context_, diagnostics_, [](const ir::Node&) { return false; }};
  pass.runtime = &request_.runtime;
  pass.advise = [&](const ir::Node& node) { return advice(node); };
  runPasses(passes::finishingPasses(), pass);
}

// On a node that needs a kernel: why it is in no delegate, and which other backend would take it.
passes::PassContext::Advice MethodExport::advice(const ir::Node& node) const {
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
    if (backend == &backend_) continue;
    const auto& catalogued = options::Catalogue::builtIn().require(id, "native");
    if (!backend->judge(node, options::OptionSet(catalogued.exportOptions)).taken) continue;
    out.fixes.push_back(concat("Export with --backend ", id, ", which takes it into a delegate"));
  }
  return out;
}

void MethodExport::checkKernels(const pte::WrittenMethod& written) const {
  std::vector<Diagnostic> problems;
  for (const std::string& kernel : written.kernels) {
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

void MethodExport::runPasses(const std::vector<passes::Pass>& list, passes::PassContext& pass) {
  passes::runPasses(*program_.graph, list, pass, [&](int, const char* name, const ir::Graph&) { dump(name); });
}

void MethodExport::dump(const char* name) {
  dumps_.add(request_.furtherMethods.empty() ? name : concat(source_.name, "-", name), *program_.graph);
}

}  // namespace exportdeck::driver
