// The intermediate representation: a list of nodes in execution order, each with operands and results.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/diagnostic.h"
#include "ir/type.h"

namespace exportdeck::ir {

class Graph;
class Node;

// Where a tensor of the user's model lies: in which memory, and between which of its bytes.
struct Memory {
  std::string record;  // empty: nowhere that another tensor could be
  uint64_t begin = 0, end = 0;
  bool isRowMajor = true;
  bool overlaps(const Memory& other) const {
    return !record.empty() && record == other.record && begin < other.end && other.begin < end;
  }
};

// The integers that a constant of floats was made of: element = integer * its scale.
struct Integers {
  std::shared_ptr<const ByteSource> data;  // an int8 each, of the constant's sizes, dense and row-major
  std::vector<float> scales;               // one, or one for each index of dimension `axis`, or for each group
  int64_t axis = 0;
  int bits = 8;       // 8, or 4 where all integers are from -8 to 7
  int64_t group = 0;  // so many neighbours of a matrix's row share a scale (scales: row-major by rows); 0: no groups
};

// Data known at export: a weight, a buffer, a folded value. Bytes are dense and row-major.
struct Constant {
  std::string name;  // fully qualified name in the user's model, or one that a pass made up
  TensorType type;
  std::shared_ptr<const ByteSource> data;
  Memory memory = {};  // in the user's model
  // Other forms of float32 numbers that a backend may store instead. Passes that change the data drop them.
  std::shared_ptr<const Integers> integers = {};  // null: they were not quantised
  std::shared_ptr<const ByteSource> half = {};    // in half precision, which all of them have; null: some have not
};
using ConstantPtr = std::shared_ptr<const Constant>;

enum class ValueKind : uint8_t {
  Tensor,
  Int,
  Float,
  Bool,  // scalars computed by nodes or given as inputs
  None,  // an undefined optional result
};

// One operand or result. Owned by its graph.
class Value {
 public:
  const std::string& name() const { return name_; }
  ValueKind kind() const { return kind_; }
  bool isTensor() const { return kind_ == ValueKind::Tensor; }
  // Only for tensors (checked).
  const TensorType& type() const;
  void setType(TensorType type) { type_ = std::move(type); }

  Node* producer() const { return producer_; }  // null for inputs, states and constants
  bool isInput() const { return isInput_; }
  // Memory of the program's own that keeps its contents from one call to the next: a buffer that the model changes.
  bool isState() const { return initial_ != nullptr; }
  const ConstantPtr& initial() const { return initial_; }  // what a state holds before the first call
  bool isConstant() const { return constant_ != nullptr; }
  const ConstantPtr& constant() const { return constant_; }
  void setConstant(ConstantPtr constant) { constant_ = std::move(constant); }  // keeps the value a constant

  // Nodes that read this value, once for each operand position; graph outputs are not among them (see Graph::isOutput).
  const std::vector<Node*>& users() const { return users_; }

 private:
  friend class Graph;
  friend class Node;
  std::string name_;
  ValueKind kind_ = ValueKind::Tensor;
  TensorType type_;
  Node* producer_ = nullptr;
  bool isInput_ = false;
  ConstantPtr constant_, initial_;
  std::vector<Node*> users_;
};

struct None {
  bool operator==(const None&) const { return true; }
};
enum class MemoryFormat : uint8_t { Contiguous, ChannelsLast, ChannelsLast3d, Preserve };
// Device and layout arguments carry nothing that a CPU program needs; they are kept as text.
struct Opaque {
  std::string text;
  bool operator==(const Opaque&) const = default;
};
// An element of a list of sizes: a number, a computed scalar, or an expression of symbols (never a plain number).
using IntItem = std::variant<int64_t, Value*, SymInt>;

// One argument of a node. Tensor and scalar operands are Value*; `ValueList` holds null for a None element.
using IntList = std::vector<IntItem>;
using FloatList = std::vector<double>;
using BoolList = std::vector<bool>;
using ValueList = std::vector<Value*>;
using Argument = std::variant<None, Value*, bool, int64_t, double, std::string, DType, MemoryFormat, Opaque, IntList,
                              FloatList, BoolList, ValueList, std::shared_ptr<Graph>, SymInt>;

// A size as an argument or as an element of a list: a number where it is one.
Argument argumentOf(const SymInt& size);
IntItem itemOf(const SymInt& size);
IntList itemsOf(const Shape& sizes);

// What a backend made of a partition; see backends/backend.h. The .pte writer reads only these fields.
struct NamedData {
  std::string key;
  std::shared_ptr<const ByteSource> data;
};
struct DelegateBlob {
  std::string backendId;  // runtime id: "XnnpackBackend"
  Bytes processed;
  std::vector<NamedData> namedData;
};

// An operation. Arguments stand in schema order with defaults filled in (see ops/schema.h), except for operators that
// have no schema here: those keep what the archive gave, and legalisation refuses them.
class Node {
 public:
  const std::string& op() const { return op_; }  // "aten.add.Tensor"
  bool is(std::string_view op) const { return op_ == op; }
  const std::vector<Argument>& args() const { return args_; }
  size_t argCount() const { return args_.size(); }
  const std::vector<Value*>& outputs() const { return outputs_; }
  Value* output(size_t i = 0) const { return outputs_.at(i); }
  const Origin& origin() const { return *origin_; }
  const std::shared_ptr<const Origin>& originPtr() const { return origin_; }
  Graph& graph() const { return *graph_; }

  // Typed access; a wrong kind is Code::GraphInvalid naming operator and position.
  bool isNone(size_t i) const { return i >= args_.size() || std::holds_alternative<None>(args_[i]); }
  Value* value(size_t i) const;        // an operand that must be a Value
  Value* valueOrNull(size_t i) const;  // null for None
  bool hasValue(size_t i) const { return i < args_.size() && std::holds_alternative<Value*>(args_[i]); }
  int64_t intArg(size_t i) const;
  double floatArg(size_t i) const;  // accepts int and bool
  bool boolArg(size_t i) const;
  std::string stringArg(size_t i) const;
  DType dtypeArg(size_t i) const;
  Sizes ints(size_t i) const;  // a list of numbers; a single number counts as a list of one
  // The same where some may be expressions.
  SymInt symArg(size_t i) const;
  Shape shapeArg(size_t i) const;
  ValueList values(size_t i) const;

  void setArg(size_t i, Argument argument);
  void setArgs(std::vector<Argument> arguments);
  void setOp(std::string op) { op_ = std::move(op); }
  // All Values read, in order, with repeats; nulls left out. Includes elements of lists.
  std::vector<Value*> operands() const;
  void replaceOperand(Value* from, Value* to);

  // Set on delegate calls ("exportdeck.delegate"): args are the operands, the sub-graph is what was handed over.
  std::shared_ptr<const DelegateBlob> blob;
  std::shared_ptr<Graph> body;

 private:
  friend class Graph;
  std::string op_;
  std::vector<Argument> args_;
  std::vector<Value*> outputs_;
  std::shared_ptr<const Origin> origin_;
  Graph* graph_ = nullptr;
  std::list<std::unique_ptr<Node>>::iterator place_;
};

// Tells how the container types of the user's call and result nest (PyTorch tree specs as JSON text); copied to the
// .pte.
struct ContainerSpec {
  std::string input, output;
};

struct GraphInput {
  Value* value = nullptr;  // for tensors and scalars that nodes read
  std::string name;        // the user's name
  Argument fixed;  // a constant given as an input (int, float, bool, string, None): part of the call, never read
};

// What a call leaves behind: the memory of `target` gets `value` once all else has been read.
struct Update {
  Value* target = nullptr;  // a state, or an input whose tensor the caller sees changed
  Value* value = nullptr;   // of the target's dtype and sizes
};

class Graph {
 public:
  explicit Graph(std::string name = "forward");
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const std::string& name() const { return name_; }
  void setName(std::string name) { name_ = std::move(name); }
  ContainerSpec containers;

  // --- building
  Value* addInput(std::string name, TensorType type);
  Value* addScalarInput(std::string name, ValueKind kind);
  void addFixedInput(std::string name, Argument fixed);
  Value* addConstant(ConstantPtr constant, std::string name = {});
  Value* addState(ConstantPtr initial, std::string name = {});
  void makeState(Value* constant);  // what was a constant is what a state begins with; others are left alone
  // Appends, or inserts before `before`. The outputs are created with unique names from `name` (else from the op).
  Node* addNode(std::string op, std::vector<Argument> args, std::vector<TensorType> outputs,
                std::shared_ptr<const Origin> origin, Node* before = nullptr, std::string name = {});
  // For results that are not tensors (symbolic sizes, undefined results).
  Value* addOutputTo(Node* node, ValueKind kind, TensorType type = {}, std::string name = {});
  void setOutputs(std::vector<Argument> outputs);  // Value*, or constants that the program returns
  void setUpdates(std::vector<Update> updates);    // at most one of each target

  // --- reading
  const std::vector<GraphInput>& inputs() const { return inputs_; }
  const std::vector<Argument>& outputs() const { return outputs_; }
  const std::list<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  std::vector<Node*> nodeList() const;    // a snapshot that survives changes
  std::vector<Value*> constants() const;  // in order of creation
  std::vector<Value*> states() const;     // in order of creation
  const std::vector<Update>& updates() const { return updates_; }
  bool isUpdated(const Value* target) const;
  // Returned, or what an update leaves behind.
  bool isOutput(const Value* value) const;
  // Neither read by a node nor an output.
  bool isUnused(const Value* value) const { return value->users().empty() && !isOutput(value); }

  // --- changing
  void replaceAllUses(Value* from, Value* to);  // in operands and outputs
  void erase(Node* node);                       // outputs must be unused (checked)
  void moveBefore(Node* node, Node* before);    // null: to the end
  void eraseUnusedConstants();
  std::string uniqueName(std::string_view wanted);

 private:
  friend class Node;
  Value* newValue(std::string_view name, ValueKind kind, TensorType type);
  void use(Node* node, const Argument& argument);
  void unuse(Node* node, const Argument& argument);
  void sweep();
  void countOutputs();

  std::string name_;
  std::vector<std::unique_ptr<Value>> values_;
  std::list<std::unique_ptr<Node>> nodes_;
  std::vector<GraphInput> inputs_;
  std::vector<Argument> outputs_;
  std::vector<Update> updates_;
  std::unordered_map<const Value*, int> outputUses_;
  std::unordered_map<std::string, int> names_;
  // Outputs of erased nodes, freed in bulk so that erasing stays O(1).
  std::unordered_set<const Value*> graveyard_;
};

// Operators of our own, made by passes and known to the emitter.
inline constexpr const char* kDelegateOp = "exportdeck.delegate";  // operands -> results, through Node::blob

// The symbols of all sizes in the graph, bodies included, by name.
std::map<std::string, SymAtomPtr> symbolsOf(const Graph& graph);

// Checks that operands are defined before they are read, names are unique, users match operands, arguments fit schemas'
// kinds, types are complete and updates fit their targets. Throws Code::GraphInvalid naming the node.
void verify(const Graph& graph);

// The readable form of a graph:
//
//   graph forward {
//     symbol s0 in [2, 16]                       of sizes "s0", "2*s0 + 1"; a missing bound is a missing word
//     input %x : f32[1,3,8,8]                    tensors may add: strides [192, 1, 24, 3]
//     input %n : int                             a scalar that nodes read; also float, bool
//     input "flag" = true                        a constant that the caller must pass, never read
//     const %w : f32[4,3,3,3] = "conv.weight"    data of the archive, by name
//     const %k : f32[2] = "scale" [0.5, 2]       small data in line
//     state %n : f32[2] = "count" [0, 0]         kept from call to call; what it begins with as for a constant
//     %y : f32[1,4,6,6] = aten.convolution.default(%x, %w, none, [1, 1], [0, 0], [1, 1], false, [0, 0], 1)  # conv;
//     model.py:12 %v : f32[2], %i : i64[2] = aten.topk.default(%z, 2, -1, true, true)
//     () = aten._assert_scalar.default(true, "message")
//     update %n = %v                             what the call leaves in the state, or in an input's tensor
//     return (%y, none, 3)
//   }
//
// Arguments: none, %value, true, 12, 0.5 (a float shows '.', 'e', inf or nan), "text", dtype:f32, format:contiguous,
// opaque:"cpu", sym:"s0 + 1", integers [1, %n], floats[0.5], bools[true], tensors {%a, none}, graph NAME { ... }. A
// delegate call is followed by `body graph NAME { ... }`. '#' starts a comment. Constants of which the text holds only
// the name get deterministic made-up data when parsed. parse() throws Code::GraphInvalid with the line.
std::string print(const Graph& graph);
std::unique_ptr<Graph> parse(std::string_view text);

}  // namespace exportdeck::ir
