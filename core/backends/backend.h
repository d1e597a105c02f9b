// What a backend is: it says for each node whether it takes it, and turns a partition into a delegate blob.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "ir/graph.h"
#include "options/catalogue.h"
#include "options/option_set.h"

namespace exportdeck::backends {

// The verdict on a node: taken, or refused with the reason shown to the user.
struct Verdict {
  bool taken = false;
  std::string reason;  // of a refusal: one clause, "its weight is computed at run time"
  std::string fix;     // optional: what the user can change
  static Verdict take() { return {true, {}, {}}; }
  static Verdict refuse(std::string why, std::string fix = {}) { return {false, std::move(why), std::move(fix)}; }
};

// What a backend makes of a partition.
struct Lowered {
  std::shared_ptr<const ir::DelegateBlob> blob;
  // Constants that the delegate reads while it runs and does not keep: further operands of the call, behind the inputs.
  // The body gets an input for each that its nodes do not read.
  std::vector<ir::ConstantPtr> operands;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view id() const = 0;  // the catalogue's id: "xnnpack"

  // Asked before decomposition: true leaves the operator whole because judge() will take it.
  virtual bool keepsWhole(const ir::Node& node, const options::OptionSet& options) const = 0;
  // Asked after lowering, for each node.
  virtual Verdict judge(const ir::Node& node, const options::OptionSet& options) const = 0;
  // Why a delegate call for this operator alone, or among others of the kind, would cost more than it saves; null where
  // it pays.
  virtual const char* whyNotAlone(const ir::Node& node) const;
  // Whether a delegate may be handed, and may give, tensors with their channels last. Such inputs and outputs of a
  // partition have their strides.
  virtual bool takesChannelsLast() const { return false; }
  // Turns a partition into a blob. The sub-graph's inputs are the delegate's operands in order, constants are its own.
  virtual Lowered lower(ir::Graph& partition, const options::OptionSet& options, const Context& context) const = 0;
};

// Backends with a native lowering, by catalogue id. Registration is one line in backends/registry.cpp.
class BackendRegistry {
 public:
  static const BackendRegistry& instance();
  const Backend* find(std::string_view id) const;  // null: no native lowering
  std::vector<std::string> ids() const;            // sorted

 private:
  BackendRegistry();
  std::vector<std::unique_ptr<Backend>> backends_;
};

// Coverage: what became of each node.
struct NodeCoverage {
  std::string op;
  std::shared_ptr<const Origin> origin;
  bool delegated = false;
  int delegate = -1;        // index of the delegate call
  std::string reason, fix;  // where not delegated
  uint64_t multiplyAdds = 0;
  uint64_t bytes = 0;  // of its results
};
struct Coverage {
  std::vector<NodeCoverage> nodes;
  int delegates = 0;
  uint64_t delegatedNodes() const;
  uint64_t multiplyAdds() const;
  uint64_t delegatedMultiplyAdds() const;
};

// Groups the nodes that `backend` takes into as few acyclic partitions as it can, replaces each by a delegate call and
// lowers it. Behind it, of inputs and of delegates' results only those with their channels last still have strides.
Coverage partitionAndLower(ir::Graph& graph, const Backend& backend, const options::OptionSet& options,
                           const Context& context);

}  // namespace exportdeck::backends
