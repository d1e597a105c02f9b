// The order of the passes, and the loop that runs them.
#include <chrono>

#include "base/text.h"
#include "passes/pass.h"
#include "passes/passes.h"

namespace exportdeck::passes {

// Checking takes as long as the passes do. Where programs are developed each pass is told apart; a release checks the
// outcome.
#ifdef NDEBUG
constexpr bool kChecksEachPass = false;
#else
constexpr bool kChecksEachPass = true;
#endif

const std::vector<Pass>& loweringPasses() {
  static const std::vector<Pass> passes = {
      {"drop-restriding", "views that repeat how a tensor lies in memory go", dropRestriding},
      {"functionalise", "in-place operators and views become functional ones", functionalise},
      {"simplify", "operators that change nothing go", simplify},
      {"real-parts", "complex values become pairs of real ones, Fourier transforms matrix products", realParts},
      {"decompose", "operators without a kernel become simpler ones", decomposeAllButQuantised},
      {"integer-products", "products that are scaled afterwards become products with quantised weights",
       integerProducts},
      {"keep-integers", "weights that were quantised stay so", keepIntegers},
      {"fuse-dynamic", "quantising at run time becomes part of the product behind it", fuseDynamic},
      {"decompose-quantised", "what is left of quantising becomes simpler operators", decompose},
      {"simplify-quantised", "what quantised only for those products goes", simplify},
      {"fuse-batch-norm", "batch normalisation is folded into the weights before it", fuseBatchNorm},
      {"promote-types", "operands of mixed types get explicit casts", promoteTypes},
      {"share-equal", "what is computed twice is computed once", shareEqual},
      {"fold-constants", "what depends on no input is computed now", foldConstants},
      // A backend may not take on a constant what it took before.
      {"decompose-again", "what a backend takes no longer becomes simpler operators", decompose},
      // Behind what folds weights, and before what the kernels of floats need.
      {"quantise", "weights become integers or half-precision floats", quantise},
      // Not before: products with known matrices become linear when they are decomposed.
      {"replace-missing", "operators whose kernel the runtime lacks become others", replaceMissing},
      {"promote-types-again", "the operators that are new get explicit casts", promoteTypes},
      {"fold-constants-again", "what is new and depends on no input is computed now", foldConstants},
      {"share-equal-again", "what the passes before computed twice is computed once", shareEqual},
      {"simplify-again", "what the passes before left over goes", simplify},
      {"legalise", "every operator must have a kernel or a backend", legalise},
  };
  return passes;
}

const std::vector<Pass>& finishingPasses() {
  static const std::vector<Pass> passes = {
      {"write-back", "what outlives the call is copied to where it stays", writeBack},
      {"to-kernels", "operators outside the delegates become kernel calls", toKernels},
  };
  return passes;
}

void runPasses(ir::Graph& graph, const std::vector<Pass>& passes, PassContext& context, const DumpFunction& dump) {
  int index = 0;
  for (const Pass& pass : passes) {
    context.context.throwIfStopped();
    const auto start = std::chrono::steady_clock::now();
    pass.run(graph, context);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    context.context.progress.log(LogLevel::Debug,
                                 concat(pass.name, ": ", pass.purpose, " (", graph.nodes().size(), " nodes, ",
                                        static_cast<int64_t>(taken.count() * 1000), " µs)"));
    // Before the check, so that the text of a broken graph can be looked at.
    if (dump) dump(index, pass.name, graph);
    if (kChecksEachPass || &pass == &passes.back()) ir::verify(graph);
    ++index;
  }
}

}  // namespace exportdeck::passes
