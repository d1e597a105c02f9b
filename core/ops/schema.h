// Operator schemas: argument names, kinds and defaults, as ATen declares them.
//
// Source of the facts: the operator registry of torch 2.13.0 and the kernel registry of the ExecuTorch 1.5.1 SDK,
// written to ops/data/*.txt by ops/data/make_schemas.py.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"

namespace exportdeck::ops {

enum class ArgKind : uint8_t {
  Tensor,
  TensorList,
  OptionalTensorList,
  Scalar,
  Int,
  SymInt,
  Float,
  Bool,
  String,
  DType,
  Layout,
  Device,
  MemoryFormat,
  IntList,
  SymIntList,
  FloatList,
  BoolList,
  ScalarList,
  Generator,
  Other,
};

struct ArgSchema {
  std::string name;
  ArgKind kind = ArgKind::Other;
  bool optional = false;  // None is allowed
  bool keywordOnly = false;
  bool written = false;                  // "(a!)": an in-place operand or an out argument
  bool aliased = false;                  // "(a)": a result is a view of it
  std::optional<ir::Argument> fallback;  // the default, in the form that bindArguments() gives
  int listSize = 0;  // "int[2]": a single number stands for that many (bindArguments() writes them out); 0: any
};

struct OpSchema {
  std::string name;  // "aten.add.Tensor"
  std::vector<ArgSchema> args;
  std::vector<ArgKind> results;                  // Tensor, TensorList, or a scalar kind
  bool isInPlace = false;                        // its first operand is written and returned
  bool isView = false;                           // a result aliases an operand
  int argIndex(std::string_view argName) const;  // -1: none
};

// Null for an operator we have no facts about. Thread-safe; a schema is parsed at first use.
const OpSchema* findSchema(std::string_view op);

// Kernel "aten::add.out" of the runtime: the out variant that a functional operator lowers to.
struct KernelInfo {
  std::string name;                   // "aten::add" (as Operator.name in the .pte)
  std::string overload;               // "out", or empty
  std::vector<std::string> outNames;  // out arguments, in schema order; none for in-place and scalar kernels
  std::string group;                  // "prim", "portable", "optimized", "quantized": see ops/runtime_profile.h
  const OpSchema* schema = nullptr;   // of the out variant
  bool isOut(std::string_view argName) const;
};
// The kernel that computes the functional operator `op` ("aten.add.Tensor" -> aten::add.out), null where none exists. A
// kernel's own name ("aten.add.out") finds it too. Operands are matched by name: see ops/data/make_schemas.py.
// Thread-safe.
const KernelInfo* kernelFor(std::string_view op);
// Every operator name with a schema: for nearest matches in messages.
std::vector<std::string> allOperators();

// Gives each argument its place: named ones by name, the rest by position; defaults fill the gaps. Each gets the form
// of its kind: an int for a float becomes a double, a number for "int[2]" a list of two, an empty list one of the right
// element type. A number for a tensor stays a number, and None for a tensor stays None. Throws Code::GraphInvalid for a
// missing argument without default, an unknown name (with the nearest), one given twice, or a value of the wrong kind.
struct NamedArgument {
  std::string name;  // may be empty: positional
  ir::Argument value;
};
std::vector<ir::Argument> bindArguments(const OpSchema& schema, std::vector<NamedArgument> given);

}  // namespace exportdeck::ops
