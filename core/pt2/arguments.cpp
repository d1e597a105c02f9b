// The argument union of torch/_export/serde/schema.py -> ir::Argument.
#include <algorithm>
#include <cstdio>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/graph_reader.h"

namespace exportdeck::pt2 {

namespace {

using ir::Argument;

Argument memoryFormat(int64_t number) {
  switch (number) {
    case 1:
      return ir::MemoryFormat::Contiguous;
    case 2:
      return ir::MemoryFormat::ChannelsLast;
    case 3:
      return ir::MemoryFormat::ChannelsLast3d;
    case 4:
      return ir::MemoryFormat::Preserve;
    default:
      return ir::Opaque{concat("memory_format ", number)};
  }
}

Argument device(json::Object fields, std::string_view what) {
  std::string text(json::string(json::at(fields, "type"), what));
  if (const auto index = json::find(fields, "index")) text += concat(":", json::integer(*index, what));
  return ir::Opaque{std::move(text)};
}

std::string_view kindName(std::string_view tag) {
  return tag.substr(tag.starts_with("as_") ? 3 : 0);
}

// "complex RE IM", in digits that give the same numbers again; passes/complex/parts.h reads it.
Argument complexNumber(json::Object fields, std::string_view what) {
  char text[80];
  std::snprintf(text, sizeof text, "complex %.17g %.17g", json::number(json::at(fields, "real"), what),
                json::number(json::at(fields, "imag"), what));
  return ir::Opaque{text};
}

// Kinds that no operator with a lowering takes: kept by name, so that the operator is refused with its place and not
// the file.
std::string opaqueText(std::string_view tag, json::Element value) {
  std::string text(kindName(tag));
  json::Object fields;
  if (value.get(fields) == simdjson::SUCCESS) {
    if (const auto name = json::find(fields, "name")) text += concat(" ", json::string(*name, tag));
  }
  return text;
}

}  // namespace

// What a computed size is in terms of the sizes of tensors. Not of a number that was read from data.
std::optional<ir::SymInt> GraphReader::sizeNamed(std::string_view name) const {
  const auto found = sizes_.find(name);
  if (found == sizes_.end()) return std::nullopt;
  const ir::SymInt size = constraints_.symInt(found->second, concat("the size ", name));
  const std::vector<std::string> symbols = symbolsOf(size);
  // Sizes of tensors have bounds by now, see boundByData().
  const bool ofData = std::any_of(symbols.begin(), symbols.end(), [this](const std::string& symbol) {
    return !symbol.starts_with('s') && !constraints_.symbol(symbol).upper();
  });
  return ofData ? std::nullopt : std::optional(size);
}

// {"as_name": computed value} or a constant.
Argument GraphReader::symbolic(json::Element element, std::string_view what) {
  const auto [tag, item] = json::tagged(element, what);
  if (tag == "as_name") {
    const std::string_view name = json::string(item, what);
    if (const auto size = sizeNamed(name)) return ir::argumentOf(*size);
    return value(name);
  }
  if (tag == "as_int") return json::integer(item, what);
  if (tag == "as_float") return json::number(item, what);
  if (tag == "as_bool") return json::boolean(item, what);
  json::malformed(what, concat("is a scalar of unknown kind ", tag));
}

Argument GraphReader::argument(json::Element element, std::string_view what) {
  const auto [tag, item] = json::tagged(element, what);
  if (tag == "as_tensor") return value(json::nameOf(item, what));
  if (tag == "as_none") return ir::None{};
  if (tag == "as_int") return json::integer(item, what);
  if (tag == "as_float") return json::number(item, what);
  if (tag == "as_bool") return json::boolean(item, what);
  if (tag == "as_string") return std::string(json::string(item, what));
  if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool") return symbolic(item, what);
  if (tag == "as_optional_tensor") return argument(item, what);
  if (tag == "as_scalar_type") return dtypeOf(item, what);
  if (tag == "as_memory_format") return memoryFormat(json::integer(item, what));
  if (tag == "as_layout") return ir::Opaque{json::integer(item, what) == 7 ? "strided" : "sparse"};
  if (tag == "as_complex") return complexNumber(json::object(item, what), what);
  if (tag == "as_device") return device(json::object(item, what), what);
  json::Array items;
  if (item.get(items) == simdjson::SUCCESS) return listArgument(tag, items, what);
  return ir::Opaque{opaqueText(tag, item)};
}

Argument GraphReader::listArgument(std::string_view tag, json::Array items, std::string_view what) {
  if (tag == "as_tensors" || tag == "as_optional_tensors") {
    ir::ValueList list;
    for (const json::Element item : items) {
      if (tag == "as_tensors") {
        list.push_back(value(json::nameOf(item, what)));
        continue;
      }
      const auto [kind, tensor] = json::tagged(item, what);
      list.push_back(kind == "as_none" ? nullptr : value(json::nameOf(tensor, what)));
    }
    return list;
  }
  if (tag == "as_ints" || tag == "as_sym_ints") {
    ir::IntList list;
    for (const json::Element item : items) {
      const Argument number = tag == "as_ints" ? Argument(json::integer(item, what)) : symbolic(item, what);
      if (const auto* computed = std::get_if<ir::Value*>(&number)) {
        list.emplace_back(*computed);
      } else if (const auto* known = std::get_if<int64_t>(&number)) {
        list.emplace_back(*known);
      } else if (const auto* size = std::get_if<ir::SymInt>(&number)) {
        list.emplace_back(*size);
      } else {
        json::malformed(what, "holds a size that is not an integer");
      }
    }
    return list;
  }
  if (tag == "as_floats") {
    ir::FloatList list;
    for (const json::Element item : items) list.push_back(json::number(item, what));
    return list;
  }
  if (tag == "as_bools") {
    ir::BoolList list;
    for (const json::Element item : items) list.push_back(json::boolean(item, what));
    return list;
  }
  return ir::Opaque{concat(kindName(tag), " (", items.size(), ")")};
}

}  // namespace exportdeck::pt2
