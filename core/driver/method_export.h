// One method of a program on its way from its archive to kernel and delegate calls.
#pragma once

#include <string>

#include "backends/backend.h"
#include "driver/export.h"
#include "passes/pass.h"

namespace exportdeck::driver {

// Graphs as text, numbered in the order in which they come; nothing where the folder has no name.
class GraphDumps {
 public:
  explicit GraphDumps(std::string folder) : folder_(std::move(folder)) {}
  // NN-NAME.txt. Throws FileUnwritable.
  void add(const std::string& name, const ir::Graph& graph);

 private:
  std::string folder_;
  int count_ = 0;
};

class MethodExport {
 public:
  // All but the source must outlive this.
  MethodExport(MethodSource source, const ExportRequest& request, const backends::Backend& backend, GraphDumps& dumps,
               DiagnosticSink& diagnostics, const Context& context);

  // The stages, in this order. Each throws ExportError.
  void read(const pt2::SizeBounds& bounds);
  void lower();
  void partition();
  // The writer calls a kernel for a view that needs bytes of its own, and casts may have been put around a call:
  // refuses what of `written` the runtime lacks.
  void checkKernels(const pte::WrittenMethod& written) const;

  const MethodSource& source() const { return source_; }
  const pt2::ExportedProgram& program() const { return program_; }
  MethodReport& report() { return report_; }
  bool isQuantised() const;  // any weight was

 private:
  passes::PassContext::Advice advice(const ir::Node& node) const;
  void warnOfKeptWeights() const;
  void runPasses(const std::vector<passes::Pass>& list, passes::PassContext& pass);
  void dump(const char* name);

  MethodSource source_;
  const ExportRequest& request_;
  const backends::Backend& backend_;
  GraphDumps& dumps_;
  DiagnosticSink& diagnostics_;
  const Context& context_;
  MethodReport report_;
  std::vector<passes::QuantisedWeight> quantised_;
  pt2::ExportedProgram program_;
};

}  // namespace exportdeck::driver
