#include "ops/schema_parser.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::ops {

namespace {

constexpr std::string_view kDefaultOverload = ".default";

struct TypeName {
  std::string_view text;
  ArgKind kind, list, optionalList;  // T, T[], T?[]
};
constexpr TypeName kTypes[] = {
    {"Tensor", ArgKind::Tensor, ArgKind::TensorList, ArgKind::OptionalTensorList},
    {"SymInt", ArgKind::SymInt, ArgKind::SymIntList, ArgKind::Other},
    {"int", ArgKind::Int, ArgKind::IntList, ArgKind::Other},
    {"float", ArgKind::Float, ArgKind::FloatList, ArgKind::Other},
    {"bool", ArgKind::Bool, ArgKind::BoolList, ArgKind::Other},
    {"Scalar", ArgKind::Scalar, ArgKind::ScalarList, ArgKind::Other},
    {"str", ArgKind::String, ArgKind::Other, ArgKind::Other},
    {"ScalarType", ArgKind::DType, ArgKind::Other, ArgKind::Other},
    {"Layout", ArgKind::Layout, ArgKind::Other, ArgKind::Other},
    {"Device", ArgKind::Device, ArgKind::Other, ArgKind::Other},
    {"MemoryFormat", ArgKind::MemoryFormat, ArgKind::Other, ArgKind::Other},
    {"Generator", ArgKind::Generator, ArgKind::Other, ArgKind::Other},
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  OpSchema run() {
    OpSchema schema;
    schema.name = operatorName(until('('));
    bool keywordOnly = false;
    while (!accept(')')) {
      if (accept('*')) {
        keywordOnly = true;
      } else {
        schema.args.push_back(argument());
        schema.args.back().keywordOnly = keywordOnly;
      }
      accept(',');
      skipBlanks();
    }
    skipBlanks();
    expect("->");
    skipBlanks();
    results(schema);
    schema.isInPlace = !schema.args.empty() && schema.args.front().written;
    return schema;
  }

 private:
  struct Type {
    ArgKind kind = ArgKind::Other;
    bool optional = false, written = false, aliased = false;
    int listSize = 0;
  };

  [[noreturn]] void fail(std::string_view what) const {
    throw ExportError(Code::Fault, concat("operator schema `", text_, "` has ", what, " at character ", at_));
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) fail(concat("no `", word, "`"));
    at_ += word.size();
  }
  void skipBlanks() {
    while (peek() == ' ') ++at_;
  }
  std::string_view until(char c) {
    const size_t end = text_.find(c, at_);
    if (end == std::string_view::npos) fail(concat("no `", c, "`"));
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }
  std::string_view word() {
    const size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_' || peek() == '.') ++at_;
    if (at_ == start) fail("no name");
    return text_.substr(start, at_ - start);
  }

  // "Tensor(a!)?", "int[2]?", "Tensor?[]", "Tensor(a!)[]"
  Type type() {
    Type out;
    const std::string_view name = word();
    const TypeName* known = nullptr;
    for (const TypeName& candidate : kTypes) {
      if (candidate.text == name) known = &candidate;
    }
    if (known) out.kind = known->kind;
    if (accept('(')) {
      const std::string_view alias = until(')');
      out.written = alias.find('!') != std::string_view::npos;
      out.aliased = !out.written;
    }
    const bool optionalItem = accept('?');
    if (accept('[')) {
      const std::string_view size = until(']');
      std::from_chars(size.data(), size.data() + size.size(), out.listSize);
      if (accept('(')) until(')');
      if (known) out.kind = optionalItem ? known->optionalList : known->list;
      out.optional = accept('?');
    } else {
      out.optional = optionalItem;
    }
    return out;
  }

  ArgSchema argument() {
    skipBlanks();
    const Type kind = type();
    skipBlanks();
    ArgSchema out;
    out.name = std::string(word());
    out.kind = kind.kind;
    out.optional = kind.optional;
    out.written = kind.written;
    out.aliased = kind.aliased;
    out.listSize = kind.listSize;
    if (accept('=')) out.fallback = fallback(out);
    return out;
  }

  ir::Argument fallback(const ArgSchema& arg) {
    if (accept('[')) return list(arg.kind);
    if (peek() == '"' || peek() == '\'') {
      const char quote = text_[at_++];
      return std::string(until(quote));
    }
    const size_t start = at_;
    while (peek() != ',' && peek() != ')' && peek() != '\0') ++at_;
    return literal(text_.substr(start, at_ - start), arg);
  }

  ir::Argument list(ArgKind kind) {
    const std::string_view inside = until(']');
    const std::vector<std::string> items = inside.empty() ? std::vector<std::string>{} : split(inside, ',');
    if (kind == ArgKind::TensorList || kind == ArgKind::OptionalTensorList) return ir::ValueList{};
    if (kind == ArgKind::FloatList) {
      ir::FloatList floats;
      for (const std::string& item : items) floats.push_back(number<double>(trim(item)));
      return floats;
    }
    if (kind == ArgKind::BoolList) {
      ir::BoolList bools;
      for (const std::string& item : items) bools.push_back(trim(item) == "True");
      return bools;
    }
    ir::IntList ints;
    for (const std::string& item : items) ints.emplace_back(number<int64_t>(trim(item)));
    return ints;
  }

  template <typename Number>
  Number number(std::string_view text) const {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail(concat("`", text, "` where a number belongs"));
    return value;
  }

  ir::Argument literal(std::string_view text, const ArgSchema& arg) const {
    if (text == "None") return ir::None{};
    if (text == "True") return true;
    if (text == "False") return false;
    if (arg.kind == ArgKind::MemoryFormat) return memoryFormat(text);
    if (arg.kind == ArgKind::Float || text.find_first_of(".e") != std::string_view::npos) return number<double>(text);
    const auto whole = number<int64_t>(text);
    if (arg.kind == ArgKind::IntList || arg.kind == ArgKind::SymIntList) {
      return ir::IntList(static_cast<size_t>(std::max(arg.listSize, 1)), ir::IntItem(whole));
    }
    return whole;
  }

  // The registry prints c10::MemoryFormat as its number.
  ir::Argument memoryFormat(std::string_view text) const {
    if (text == "0" || text == "contiguous_format") return ir::MemoryFormat::Contiguous;
    if (text == "1" || text == "preserve_format") return ir::MemoryFormat::Preserve;
    if (text == "2" || text == "channels_last") return ir::MemoryFormat::ChannelsLast;
    if (text == "3" || text == "channels_last_3d") return ir::MemoryFormat::ChannelsLast3d;
    fail(concat("the unknown memory format `", text, "`"));
  }

  void results(OpSchema& schema) {
    const bool tuple = accept('(');
    while (at_ < text_.size() && !(tuple && accept(')'))) {
      const Type kind = type();
      schema.results.push_back(kind.kind);
      schema.isView = schema.isView || kind.aliased;
      skipBlanks();
      if (tuple && peek() != ',' && peek() != ')') word();  // a result's name
      accept(',');
      skipBlanks();
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

OpSchema parseSchema(std::string_view text) {
  return Parser(text).run();
}

std::string operatorName(std::string_view name) {
  const size_t colons = name.find("::");
  if (colons == std::string_view::npos) return std::string(name);
  const std::string_view rest = name.substr(colons + 2);
  const bool hasOverload = rest.find('.') != std::string_view::npos;
  return concat(name.substr(0, colons), ".", rest, hasOverload ? std::string_view() : kDefaultOverload);
}

std::string registryName(std::string_view name) {
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::string(name);
  std::string_view rest = name.substr(dot + 1);
  if (rest.ends_with(kDefaultOverload)) rest.remove_suffix(kDefaultOverload.size());
  return concat(name.substr(0, dot), "::", rest);
}

}  // namespace exportdeck::ops
