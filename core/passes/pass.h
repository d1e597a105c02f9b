// A pass changes a graph from one stated form to another.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "ir/graph.h"
#include "ops/runtime_profile.h"
#include "passes/quantise.h"

namespace exportdeck::passes {

class Evaluator;

struct PassContext {
  const Context& context;
  DiagnosticSink& diagnostics;
  // Operators that a backend takes whole: decomposition leaves a node alone where this says so.
  std::function<bool(const ir::Node&)> keepWhole = [](const ir::Node&) { return false; };
  Evaluator* evaluator = nullptr;  // computes constant parts of the graph; null: they stay as they are
  // The kernels that calls may use; null: all that are known.
  const ops::RuntimeProfile* runtime = nullptr;
  const Quantisation* quantisation = nullptr;         // null: weights stay as they are
  std::vector<QuantisedWeight>* quantised = nullptr;  // gets an entry for each weight that was looked at
  // What backends say of an operator whose kernel the runtime lacks: clauses for Diagnostic::why and sentences for its
  // fixes.
  struct Advice {
    std::string why;
    std::vector<std::string> fixes;
  };
  std::function<Advice(const ir::Node&)> advise = [](const ir::Node&) { return Advice{}; };
};

struct Pass {
  const char* name;     // also the file name of its dump
  const char* purpose;  // one line, shown by --dump-ir and in the log
  void (*run)(ir::Graph& graph, PassContext& context);
};

// In the order in which they run; the list is in passes/pipeline.cpp.
const std::vector<Pass>&
loweringPasses();  // from an exported program to functional operators that kernels or backends take
const std::vector<Pass>& finishingPasses();  // after partition: to kernel calls

// Runs the passes, verifying after each; `dump` receives the graph's text after each where it is set.
using DumpFunction = std::function<void(int index, const char* pass, const ir::Graph& graph)>;
void runPasses(ir::Graph& graph, const std::vector<Pass>& passes, PassContext& context, const DumpFunction& dump);

}  // namespace exportdeck::passes
