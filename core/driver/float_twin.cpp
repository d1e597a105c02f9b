#include "driver/float_twin.h"

#include "driver/quantisation.h"
#include "driver/size_bounds.h"

namespace exportdeck::driver {

pte::WriteOptions writeOptions(const options::OptionSet& options) {
  pte::WriteOptions out;
  out.planInputs = options.boolean("plan_inputs");
  out.planOutputs = options.boolean("plan_outputs");
  out.shareStates = options.boolean("share_state");
  out.alignment = static_cast<uint32_t>(options.integer("alignment"));
  out.segmentAlignment = static_cast<uint32_t>(options.integer("segment_alignment"));
  return out;
}

std::vector<const ir::Graph*> graphsOf(const std::vector<MethodExport>& methods) {
  std::vector<const ir::Graph*> graphs;
  for (const MethodExport& method : methods) graphs.push_back(method.program().graph.get());
  return graphs;
}

FloatTwin::FloatTwin(const ExportRequest& request, const Context& context) : file_(request.output) {
  ExportRequest floats = request;
  floats.options = withoutQuantisation(request.options);
  GraphDumps noDumps({});
  // What there is to say of the program was said of the quantised one.
  DiagnosticSink unheard;
  const pt2::SizeBounds bounds = sizeBounds(floats.options);
  std::vector<MethodSource> sources{floats.method};
  sources.insert(sources.end(), floats.furtherMethods.begin(), floats.furtherMethods.end());
  const backends::Backend& backend = *backends::BackendRegistry::instance().find(floats.backend);
  std::vector<MethodExport> methods;
  for (const MethodSource& source : sources) {
    MethodExport& method = methods.emplace_back(source, floats, backend, noDumps, unheard, context);
    method.read(sources.size() == 1 ? bounds : boundsIn(source.path, bounds, context));
    method.lower();
    method.partition();
  }
  pte::writeProgram(graphsOf(methods), writeOptions(floats.options), file_, context, nullptr);
  file_.flush(context);
  path_ = file_.readablePath();
}

}  // namespace exportdeck::driver
