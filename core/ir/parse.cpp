// Text -> graph. The grammar is described in ir/graph.h beside print().
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "ir/graph.h"
#include "ir/text_scanner.h"

namespace exportdeck::ir {

namespace {

// Deterministic data for a constant of which the text holds only the name.
Bytes inventData(const TensorType& type, const std::string& name) {
  std::minstd_rand random(static_cast<uint32_t>(std::hash<std::string>{}(name) | 1));
  Bytes bytes(type.bytes());
  if (type.dtype == DType::Float32) {
    for (size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
      const float value = static_cast<float>(random() % 2000) / 1000.0F - 1.0F;
      std::memcpy(bytes.data() + at, &value, sizeof value);
    }
  }
  return bytes;
}

// False where T cannot hold the value.
template <typename T>
bool storeElement(Bytes& bytes, double value) {
  if constexpr (std::is_integral_v<T>) {
    const double lowest = static_cast<double>(std::numeric_limits<T>::min());
    if (!(value >= lowest && value < std::ldexp(1.0, std::numeric_limits<T>::digits))) return false;
  }
  const T element = static_cast<T>(value);
  const auto* raw = reinterpret_cast<const std::byte*>(&element);
  bytes.insert(bytes.end(), raw, raw + sizeof element);
  return true;
}

class Parser : TextScanner {
 public:
  explicit Parser(std::string_view text) : TextScanner(text) {}

  std::unique_ptr<Graph> parse() {
    auto graph = parseGraph();
    expectEnd();
    return graph;
  }

 private:
  std::unique_ptr<Graph> parseGraph() {
    if (++depth_ > kMaximumDepth) fail("fewer nested graphs");
    expectWord("graph");
    auto graph = std::make_unique<Graph>(std::string(word()));
    auto outerValues = std::exchange(values_, {});
    std::vector<Update> updates;
    expect('{');
    for (;;) {
      if (acceptWord("return")) {
        graph->setOutputs(arguments(')'));
        graph->setUpdates(std::move(updates));
        expect('}');
        break;
      }
      if (acceptWord("symbol")) {
        parseSymbol();
      } else if (acceptWord("input")) {
        parseInput(*graph);
      } else if (acceptWord("const")) {
        const auto [name, constant] = parseConstant();
        define(name, graph->addConstant(constant, name));
      } else if (acceptWord("state")) {
        const auto [name, initial] = parseConstant();
        define(name, graph->addState(initial, name));
      } else if (acceptWord("update")) {
        Value* target = value();
        expect('=');
        updates.push_back({target, value()});
      } else if (acceptWord("body")) {
        if (graph->nodes().empty()) fail("a node before its body");
        graph->nodes().back()->body = parseGraph();
      } else {
        parseNode(*graph);
      }
    }
    values_ = std::move(outerValues);
    --depth_;
    return graph;
  }

  struct Typed {
    std::string name;
    ValueKind kind = ValueKind::Tensor;
    TensorType type;
  };

  Typed typed() {
    Typed out;
    expect('%');
    out.name = word();
    expect(':');
    const std::string kind(word());
    if (kind == "int") {
      out.kind = ValueKind::Int;
    } else if (kind == "float") {
      out.kind = ValueKind::Float;
    } else if (kind == "bool" && peek() != '[') {
      out.kind = ValueKind::Bool;
    } else if (kind == "none") {
      out.kind = ValueKind::None;
    } else {
      const auto dtype = dtypeNamed(kind);
      if (!dtype) fail("an element type");
      out.type.dtype = *dtype;
      expect('[');
      while (!accept(']')) {
        out.type.shape.push_back(expression(peek() == '"' ? string() : std::string(word())));
        accept(',');
      }
    }
    return out;
  }

  void define(const std::string& name, Value* value) {
    if (!values_.emplace(name, value).second) fail(concat("a name other than %", name, ", which is taken"));
  }

  void parseInput(Graph& graph) {
    if (peek() == '"') {
      std::string name = string();
      expect('=');
      graph.addFixedInput(std::move(name), argument());
      return;
    }
    Typed input = typed();
    if (acceptWord("strides")) {
      for (const Argument& stride : bracketed()) input.type.strides.push_back(static_cast<int64_t>(asNumber(stride)));
    }
    define(input.name, input.kind == ValueKind::Tensor ? graph.addInput(input.name, input.type)
                                                       : graph.addScalarInput(input.name, input.kind));
  }

  SymInt expression(const std::string& text) {
    const auto symbol = [this](std::string_view name) {
      return symbols_.try_emplace(std::string(name), SymInt::symbol(std::string(name), {}, {})).first->second;
    };
    // A text that is no expression is the name of a size that is none.
    const std::optional<SymInt> found = parseSymInt(text, symbol);
    return found ? *found : symbol(text);
  }

  // NAME in [LOWER, UPPER], where a bound may be missing
  void parseSymbol() {
    const std::string name(word());
    expectWord("in");
    expect('[');
    const auto bound = [this](char end) {
      std::optional<int64_t> number;
      if (peek() != end) {
        const Argument given = numberFrom(std::string(word()));
        if (!std::holds_alternative<int64_t>(given)) fail("a whole number");
        number = std::get<int64_t>(given);
      }
      expect(end);
      return number;
    };
    const std::optional<int64_t> lower = bound(','), upper = bound(']');
    symbols_[name] = SymInt::symbol(name, lower, upper);
  }

  // The value's name and its data.
  std::pair<std::string, ConstantPtr> parseConstant() {
    const Typed spec = typed();
    expect('=');
    auto constant = std::make_shared<Constant>();
    constant->name = string();
    constant->type = spec.type;
    if (!spec.type.isStatic() || spec.type.bytes() > kMaximumConstant) fail("a constant of a known, moderate size");
    constant->data = bytesInMemory(peek() == '[' ? elements(spec.type) : inventData(spec.type, constant->name));
    return {spec.name, constant};
  }

  Bytes elements(const TensorType& type) {
    Bytes bytes;
    for (const Argument& item : bracketed()) {
      const auto* integer = std::get_if<int64_t>(&item);
      const double value = asNumber(item);
      bool fits = false;
      switch (type.dtype) {
        case DType::Float32:
          fits = storeElement<float>(bytes, value);
          break;
        case DType::Float64:
          fits = storeElement<double>(bytes, value);
          break;
        case DType::Int64:
          fits = storeElement<int64_t>(bytes, integer ? 0 : value);
          break;
        case DType::Int32:
          fits = storeElement<int32_t>(bytes, value);
          break;
        case DType::Int16:
          fits = storeElement<int16_t>(bytes, value);
          break;
        case DType::Int8:
          fits = storeElement<int8_t>(bytes, value);
          break;
        case DType::UInt8:
        case DType::Bool:
          fits = storeElement<uint8_t>(bytes, value);
          break;
        default:
          fail("no values in line for this element type");
      }
      if (!fits) fail("a value that the element type holds, before this");
      if (type.dtype == DType::Int64 && integer)
        std::memcpy(bytes.data() + bytes.size() - sizeof *integer, integer, sizeof *integer);
    }
    if (bytes.size() != type.bytes()) fail(concat(type.elements(), " values"));
    return bytes;
  }

  void parseNode(Graph& graph) {
    std::vector<Typed> results;
    if (accept('(')) {
      expect(')');
    } else {
      do {
        results.push_back(typed());
      } while (accept(','));
    }
    expect('=');
    std::string op(word());
    Node* node = graph.addNode(std::move(op), arguments(')'), {}, nullptr);
    for (const Typed& result : results)
      define(result.name, graph.addOutputTo(node, result.kind, result.type, result.name));
  }

  std::vector<Argument> arguments(char close) {
    expect(close == ')' ? '(' : '{');
    std::vector<Argument> out;
    while (!accept(close)) {
      out.push_back(argument());
      if (peek() != close) expect(',');
    }
    return out;
  }

  // Items of "[…]": numbers, bools and values.
  std::vector<Argument> bracketed() {
    expect('[');
    std::vector<Argument> out;
    while (!accept(']')) {
      Argument item = argument();
      const bool plain = std::holds_alternative<int64_t>(item) || std::holds_alternative<double>(item) ||
                         std::holds_alternative<bool>(item) || std::holds_alternative<Value*>(item) ||
                         std::holds_alternative<SymInt>(item);
      if (!plain) fail("a number");
      out.push_back(std::move(item));
      if (peek() != ']') expect(',');
    }
    return out;
  }

  Argument argument() {
    const char next = peek();
    if (next == '%') return value();
    if (next == '"') return string();
    if (next == '{') return tensors();
    if (next == '[') return integers();
    if (acceptWord("graph", false)) return std::shared_ptr<Graph>(parseGraph());
    const std::string text(word());
    if (text == "none") return None{};
    if (text == "true" || text == "false") return text == "true";
    if (text == "dtype" || text == "format" || text == "opaque" || text == "sym") return tagged(text);
    if (text == "floats") {
      FloatList list;
      for (const Argument& item : bracketed()) list.push_back(asNumber(item));
      return list;
    }
    if (text == "bools") {
      BoolList list;
      for (const Argument& item : bracketed()) {
        if (!std::holds_alternative<bool>(item)) fail("true or false");
        list.push_back(std::get<bool>(item));
      }
      return list;
    }
    return numberFrom(text);
  }

  double asNumber(const Argument& item) const {
    if (const auto* integer = std::get_if<int64_t>(&item)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&item)) return *real;
    if (const auto* flag = std::get_if<bool>(&item)) return *flag ? 1 : 0;
    fail("a number");
  }

  Argument numberFrom(const std::string& text) {
    int64_t integer = 0;
    const char* last = text.data() + text.size();
    if (const auto [end, error] = std::from_chars(text.data(), last, integer); error == std::errc() && end == last)
      return integer;
    double real = 0;
    if (const auto [end, error] = std::from_chars(text.data(), last, real); error == std::errc() && end == last)
      return real;
    fail("an argument");
  }

  Argument tagged(const std::string& tag) {
    expect(':');
    if (tag == "opaque") return Opaque{string()};
    if (tag == "sym") return argumentOf(expression(string()));
    const std::string name(word());
    if (tag == "dtype") {
      if (const auto dtype = dtypeNamed(name)) return *dtype;
      fail("an element type");
    }
    if (name == "contiguous") return MemoryFormat::Contiguous;
    if (name == "channels_last") return MemoryFormat::ChannelsLast;
    if (name == "channels_last_3d") return MemoryFormat::ChannelsLast3d;
    if (name == "preserve") return MemoryFormat::Preserve;
    fail("a memory format");
  }

  Value* value() {
    expect('%');
    const std::string name(word());
    const auto found = values_.find(name);
    if (found == values_.end()) fail(concat("a value that is defined before, not %", name));
    return found->second;
  }

  Argument tensors() {
    ValueList list;
    for (const Argument& item : arguments('}')) {
      if (!std::holds_alternative<Value*>(item) && !std::holds_alternative<None>(item)) fail("a value or none");
      list.push_back(std::holds_alternative<None>(item) ? nullptr : std::get<Value*>(item));
    }
    return list;
  }

  Argument integers() {
    IntList list;
    for (const Argument& item : bracketed()) {
      if (const auto* integer = std::get_if<int64_t>(&item)) {
        list.emplace_back(*integer);
      } else if (auto* const* computed = std::get_if<Value*>(&item)) {
        list.emplace_back(*computed);
      } else if (const auto* symbolic = std::get_if<SymInt>(&item)) {
        list.emplace_back(*symbolic);
      } else {
        fail("an integer");
      }
    }
    return list;
  }

  static constexpr int kMaximumDepth = 64;
  static constexpr uint64_t kMaximumConstant = 64u << 20;

  int depth_ = 0;
  std::unordered_map<std::string, Value*> values_;
  std::unordered_map<std::string, SymInt> symbols_;
};

}  // namespace

std::unique_ptr<Graph> parse(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace exportdeck::ir
