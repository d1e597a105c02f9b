// Checked access to JSON of the archive. A missing field or a wrong kind is Code::GraphInvalid naming the field.
//
// General rules of the format (torch/_export/serde/schema.py): enums are numbers, a union is an object with exactly one
// key, unknown keys are ignored, optional fields are null or absent, and non-finite floats are strings.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/archive.h"

namespace exportdeck::pt2::json {

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

// A parsed document. Elements and their strings live as long as it does.
class Document {
 public:
  // Throws ArchiveFormat when the entry is no JSON object, ArchiveInvalid when it cannot be read.
  Document(const Archive& archive, std::string_view entry);
  Object root() const { return root_; }

 private:
  std::string text_;
  simdjson::dom::parser parser_;
  Object root_;
};

// `what` names the element in the error message.
Object object(Element element, std::string_view what);
Array array(Element element, std::string_view what);
std::string_view string(Element element, std::string_view what);
int64_t integer(Element element, std::string_view what);
double number(Element element, std::string_view what);  // also "Infinity", "-Infinity", "NaN"
bool boolean(Element element, std::string_view what);

std::optional<Element> find(Object object, std::string_view key);  // nothing where absent or null
Element at(Object object, std::string_view key);

// A tagged union: its only key and value.
struct Tagged {
  std::string_view tag;
  Element value;
};
Tagged tagged(Element element, std::string_view what);
// The `name` of {"name": …}.
std::string_view nameOf(Element element, std::string_view what);

[[noreturn]] void malformed(std::string_view what, std::string_view expected);

}  // namespace exportdeck::pt2::json
