// Arguments as the archive gives them -> a full argument list in schema order, each in the form that its kind has.
#include <optional>

#include "base/diagnostic.h"
#include "base/text.h"
#include "ops/schema.h"

namespace exportdeck::ops {

namespace {

template <typename... Types>
bool holdsAny(const ir::Argument& value) {
  return (std::holds_alternative<Types>(value) || ...);
}

bool isEmptyList(const ir::Argument& value) {
  const auto* ints = std::get_if<ir::IntList>(&value);
  const auto* values = std::get_if<ir::ValueList>(&value);
  return (ints && ints->empty()) || (values && values->empty());
}

// See GraphReader::argument().
bool isComplexNumber(const ir::Argument& value) {
  const auto* opaque = std::get_if<ir::Opaque>(&value);
  return opaque && opaque->text.starts_with("complex ");
}

// A number for "int[2]" stands for two of it; for "int[]" it is a list of one.
std::optional<ir::Argument> asIntList(const ir::Argument& value, int listSize) {
  if (holdsAny<ir::IntList>(value)) return value;
  const auto count = static_cast<size_t>(std::max(listSize, 1));
  if (const auto* number = std::get_if<int64_t>(&value)) return ir::IntList(count, ir::IntItem(*number));
  if (const auto* computed = std::get_if<ir::Value*>(&value)) return ir::IntList(count, ir::IntItem(*computed));
  if (const auto* size = std::get_if<ir::SymInt>(&value)) return ir::IntList(count, ir::IntItem(*size));
  if (isEmptyList(value)) return ir::IntList{};
  return std::nullopt;
}

std::optional<ir::Argument> asFloatList(const ir::Argument& value) {
  if (holdsAny<ir::FloatList>(value)) return value;
  const auto* ints = std::get_if<ir::IntList>(&value);
  if (!ints && !isEmptyList(value)) return std::nullopt;
  ir::FloatList floats;
  for (const ir::IntItem& item : ints ? *ints : ir::IntList{}) {
    if (!std::holds_alternative<int64_t>(item)) return std::nullopt;
    floats.push_back(static_cast<double>(std::get<int64_t>(item)));
  }
  return floats;
}

std::optional<ir::Argument> asFloat(const ir::Argument& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return static_cast<double>(*number);
  if (holdsAny<double, ir::Value*, ir::SymInt>(value)) return value;
  return std::nullopt;
}

std::optional<ir::Argument> when(bool fits, const ir::Argument& value) {
  return fits ? std::optional<ir::Argument>(value) : std::nullopt;
}

// The argument in the form that its kind has, or nothing where it has another kind.
std::optional<ir::Argument> conform(const ir::Argument& value, const ArgSchema& schema) {
  if (holdsAny<ir::None>(value)) return when(schema.optional || schema.kind == ArgKind::Tensor, value);
  switch (schema.kind) {
    // A Python number may stand for a tensor; promotion makes it one.
    case ArgKind::Tensor:
    case ArgKind::Scalar:
      return when(holdsAny<ir::Value*, bool, int64_t, double, ir::SymInt>(value) || isComplexNumber(value), value);
    case ArgKind::Int:
    case ArgKind::SymInt:
      return when(holdsAny<ir::Value*, bool, int64_t, ir::SymInt>(value), value);
    case ArgKind::Bool:
      return when(holdsAny<ir::Value*, bool>(value), value);
    case ArgKind::Float:
      return asFloat(value);
    case ArgKind::String:
      return when(holdsAny<std::string>(value), value);
    case ArgKind::DType:
      return when(holdsAny<ir::DType>(value), value);
    case ArgKind::MemoryFormat:
      return when(holdsAny<ir::MemoryFormat>(value), value);
    case ArgKind::IntList:
    case ArgKind::SymIntList:
      return asIntList(value, schema.listSize);
    case ArgKind::FloatList:
      return asFloatList(value);
    case ArgKind::BoolList:
      return isEmptyList(value) ? ir::BoolList{} : when(holdsAny<ir::BoolList>(value), value);
    case ArgKind::TensorList:
    case ArgKind::OptionalTensorList:
      return isEmptyList(value) ? ir::ValueList{} : when(holdsAny<ir::ValueList>(value), value);
    case ArgKind::Layout:
    case ArgKind::Device:
    case ArgKind::Generator:
    case ArgKind::ScalarList:
    case ArgKind::Other:
      return value;
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const OpSchema& schema, std::string message, std::string fix = {}) {
  Diagnostic problem;
  problem.code = Code::GraphInvalid;
  problem.message = std::move(message);
  problem.where.op = schema.name;
  if (!fix.empty()) problem.fixes.push_back(std::move(fix));
  throw ExportError(std::move(problem));
}

size_t placeOf(const OpSchema& schema, const NamedArgument& argument, size_t position) {
  if (argument.name.empty()) {
    if (position >= schema.args.size()) {
      refuse(schema, concat(schema.name, " takes ", schema.args.size(), " arguments, but argument ", position + 1,
                            " is given"));
    }
    return position;
  }
  const int index = schema.argIndex(argument.name);
  if (index >= 0) return static_cast<size_t>(index);
  std::vector<std::string> names;
  for (const ArgSchema& arg : schema.args) names.push_back(arg.name);
  const std::string nearest = nearestMatch(argument.name, names);
  refuse(schema,
         concat(schema.name, " has no argument `", argument.name, "`",
                nearest.empty() ? std::string() : concat("; the nearest is `", nearest, "`")),
         "Export the program with a release of PyTorch that this version knows");
}

}  // namespace

std::vector<ir::Argument> bindArguments(const OpSchema& schema, std::vector<NamedArgument> given) {
  std::vector<std::optional<ir::Argument>> places(schema.args.size());
  for (size_t i = 0; i < given.size(); ++i) {
    const size_t place = placeOf(schema, given[i], i);
    const ArgSchema& arg = schema.args[place];
    if (places[place]) refuse(schema, concat(schema.name, " is given its argument `", arg.name, "` twice"));
    places[place] = conform(given[i].value, arg);
    if (!places[place])
      refuse(schema, concat("the argument `", arg.name, "` of ", schema.name, " has a value of the wrong kind"));
  }
  std::vector<ir::Argument> bound;
  bound.reserve(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    const ArgSchema& arg = schema.args[i];
    if (!places[i] && !arg.fallback) refuse(schema, concat(schema.name, " lacks its argument `", arg.name, "`"));
    bound.push_back(places[i] ? std::move(*places[i]) : *arg.fallback);
  }
  return bound;
}

}  // namespace exportdeck::ops
