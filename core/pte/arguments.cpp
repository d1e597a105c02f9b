#include "pte/arguments.h"

#include <algorithm>

#include "base/text.h"

namespace exportdeck::pte {

namespace {

using ops::ArgKind;

// Turns one argument into an entry; each overload handles one form that passes may have left it in.
class Converter {
 public:
  Converter(const ir::Node& node, const ops::ArgSchema& schema, ValueTable& values)
      : node_(node), schema_(schema), values_(values) {}

  int operator()(ir::None) const {
    const bool demanded = schema_.kind == ArgKind::Tensor && !schema_.optional;
    return demanded ? values_.emptyTensor() : values_.null();
  }
  int operator()(const ir::Value* value) const {
    if (value->kind() == ir::ValueKind::None) return (*this)(ir::None());
    require(value->isTensor() == (schema_.kind == ArgKind::Tensor) && !isList());
    return values_.of(value);
  }
  int operator()(bool flag) const {
    switch (schema_.kind) {
      case ArgKind::Bool:
      case ArgKind::Scalar:
        return values_.boolean(flag);
      default:
        return (*this)(int64_t{flag});
    }
  }
  int operator()(int64_t number) const {
    switch (schema_.kind) {
      case ArgKind::Float:
        return values_.number(static_cast<double>(number));
      case ArgKind::Bool:
        return values_.boolean(number != 0);
      case ArgKind::IntList:
      case ArgKind::SymIntList:
      case ArgKind::FloatList:
        return (*this)(ir::IntList(static_cast<size_t>(std::max(schema_.listSize, 1)), ir::IntItem(number)));
      default:
        break;
    }
    require(schema_.kind == ArgKind::Int || schema_.kind == ArgKind::SymInt || schema_.kind == ArgKind::Scalar);
    return values_.integer(number);
  }
  int operator()(double number) const {
    require(schema_.kind == ArgKind::Float || schema_.kind == ArgKind::Scalar);
    return values_.number(number);
  }
  int operator()(const std::string& text) const {
    require(schema_.kind == ArgKind::String);
    return values_.text(text);
  }
  int operator()(ir::DType dtype) const {
    require(schema_.kind == ArgKind::DType || schema_.kind == ArgKind::Int);
    return values_.integer(scalarType(dtype));
  }
  // Programs know 0 (contiguous) and 1 (preserve).
  int operator()(ir::MemoryFormat format) const {
    require(schema_.kind == ArgKind::MemoryFormat);
    require(format == ir::MemoryFormat::Contiguous || format == ir::MemoryFormat::Preserve);
    return values_.integer(format == ir::MemoryFormat::Preserve ? 1 : 0);
  }
  // A device or layout that is asked for: the only ones here are the CPU's and the strided one, which None stands for.
  int operator()(const ir::Opaque&) const {
    require(schema_.optional);
    return values_.null();
  }
  int operator()(const ir::IntList& list) const {
    if (schema_.kind == ArgKind::FloatList) {
      std::vector<double> items;
      for (const ir::IntItem& item : list) items.push_back(static_cast<double>(numberOf(item)));
      return values_.doubleList(items);
    }
    if (schema_.kind == ArgKind::BoolList) {
      std::vector<bool> items;
      for (const ir::IntItem& item : list) items.push_back(numberOf(item) != 0);
      return values_.boolList(items);
    }
    if (list.empty() && isTensorList()) return (*this)(ir::ValueList());
    require(schema_.kind == ArgKind::IntList || schema_.kind == ArgKind::SymIntList);
    std::vector<int64_t> entries;
    for (const ir::IntItem& item : list) {
      const auto* number = std::get_if<int64_t>(&item);
      entries.push_back(number != nullptr ? values_.integer(*number) : values_.of(std::get<ir::Value*>(item)));
    }
    return values_.intList(entries);
  }
  int operator()(const ir::FloatList& list) const {
    require(schema_.kind == ArgKind::FloatList);
    return values_.doubleList(list);
  }
  int operator()(const ir::BoolList& list) const {
    require(schema_.kind == ArgKind::BoolList);
    return values_.boolList(list);
  }
  int operator()(const ir::ValueList& list) const {
    require(isTensorList());
    const bool holes = schema_.kind == ArgKind::OptionalTensorList;
    std::vector<int> entries;
    for (const ir::Value* value : list) {
      const bool absent = value == nullptr || value->kind() == ir::ValueKind::None;
      require(absent ? holes : value->isTensor());
      entries.push_back(absent ? -1 : values_.of(value));
    }
    return holes ? values_.optionalTensorList(entries) : values_.tensorList(entries);
  }
  int operator()(const std::shared_ptr<ir::Graph>&) const {
    require(false);
    return 0;
  }

 private:
  bool isTensorList() const {
    return schema_.kind == ArgKind::TensorList || schema_.kind == ArgKind::OptionalTensorList;
  }
  bool isList() const {
    return isTensorList() || schema_.kind == ArgKind::IntList || schema_.kind == ArgKind::SymIntList ||
           schema_.kind == ArgKind::FloatList || schema_.kind == ArgKind::BoolList ||
           schema_.kind == ArgKind::ScalarList;
  }
  int64_t numberOf(const ir::IntItem& item) const {
    require(std::holds_alternative<int64_t>(item));
    return std::get<int64_t>(item);
  }
  void require(bool fits) const {
    if (fits) return;
    check(false, concat("the argument ", schema_.name, " of ", node_.op(), " (node ", node_.origin().node,
                        ") has a form that its kernel does not take"));
  }

  const ir::Node& node_;
  const ops::ArgSchema& schema_;
  ValueTable& values_;
};

}  // namespace

int argumentIndex(const ir::Node& node, size_t index, const ops::ArgSchema& schema, ValueTable& values) {
  return std::visit(Converter(node, schema, values), node.args()[index]);
}

}  // namespace exportdeck::pte
