// Graph -> text. The grammar is described in ir/graph.h beside print().
#include <cmath>
#include <cstring>

#include "base/text.h"
#include "ir/graph.h"

namespace exportdeck::ir {

namespace {

constexpr int64_t kInlineElements = 16;
constexpr const char* kWordCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-+";

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + '"';
}

// Floats always show that they are floats, so that parsing gives the same kind back.
std::string number(double value) {
  std::string out = concat(value);
  if (out.find_first_of(".en") == std::string::npos) out += ".0";
  return out;
}

const char* formatName(MemoryFormat format) {
  switch (format) {
    case MemoryFormat::Contiguous:
      return "contiguous";
    case MemoryFormat::ChannelsLast:
      return "channels_last";
    case MemoryFormat::ChannelsLast3d:
      return "channels_last_3d";
    case MemoryFormat::Preserve:
      break;
  }
  return "preserve";
}

template <typename T>
void appendElements(std::vector<std::string>& out, const Bytes& bytes) {
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T element;
    std::memcpy(&element, bytes.data() + at, sizeof element);
    if constexpr (std::is_floating_point_v<T>) {
      out.push_back(concat(element));
    } else {
      out.push_back(concat(static_cast<int64_t>(element)));
    }
  }
}

// The values of a small constant, or "" where it is large or of a type that has no plain notation.
std::string inlineValues(const Constant& constant) {
  if (!constant.data || !constant.type.isStatic() || constant.type.elements() > kInlineElements) return {};
  std::vector<std::string> items;
  const Bytes bytes = constant.data->materialise();
  switch (constant.type.dtype) {
    case DType::Float32:
      appendElements<float>(items, bytes);
      break;
    case DType::Float64:
      appendElements<double>(items, bytes);
      break;
    case DType::Int64:
      appendElements<int64_t>(items, bytes);
      break;
    case DType::Int32:
      appendElements<int32_t>(items, bytes);
      break;
    case DType::Int16:
      appendElements<int16_t>(items, bytes);
      break;
    case DType::Int8:
      appendElements<int8_t>(items, bytes);
      break;
    case DType::UInt8:
    case DType::Bool:
      appendElements<uint8_t>(items, bytes);
      break;
    default:
      return {};
  }
  return concat("[", join(items, ", "), "]");
}

class Printer {
 public:
  std::string print(const Graph& graph, const std::string& indent) {
    out_ += concat("graph ", graph.name(), " {\n");
    const std::string inner = indent + "  ";
    if (indent.empty()) printSymbols(graph);
    for (const GraphInput& input : graph.inputs()) {
      out_ += inner + "input ";
      out_ +=
          input.value ? concat(typed(*input.value)) : concat(quote(input.name), " = ", argument(input.fixed, inner));
      if (input.value && input.value->isTensor() && !input.value->type().strides.empty()) {
        out_ += concat(" strides [", join(input.value->type().strides, ", "), "]");
      }
      out_ += '\n';
    }
    for (const Value* value : graph.constants()) printData("const", *value, *value->constant(), inner);
    for (const Value* value : graph.states()) printData("state", *value, *value->initial(), inner);
    for (const auto& node : graph.nodes()) printNode(*node, inner);
    for (const Update& update : graph.updates())
      out_ += concat(inner, "update %", update.target->name(), " = %", update.value->name(), "\n");
    std::vector<std::string> outputs;
    for (const Argument& output : graph.outputs()) outputs.push_back(argument(output, inner));
    out_ += concat(inner, "return (", join(outputs, ", "), ")\n", indent, "}");
    return std::move(out_);
  }

 private:
  void printSymbols(const Graph& graph) {
    for (const auto& [name, atom] : symbolsOf(graph)) {
      if (!atom->lower && !atom->upper) continue;
      out_ += concat("  symbol ", name, " in [", atom->lower ? concat(*atom->lower) : "", ", ",
                     atom->upper ? concat(*atom->upper) : "", "]\n");
    }
  }

  void printData(std::string_view kind, const Value& value, const Constant& data, const std::string& indent) {
    const std::string values = inlineValues(data);
    out_ += concat(indent, kind, " ", typed(value), " = ", quote(data.name), values.empty() ? "" : " ", values, "\n");
  }

  static std::string typed(const Value& value) {
    switch (value.kind()) {
      case ValueKind::Int:
        return concat("%", value.name(), " : int");
      case ValueKind::Float:
        return concat("%", value.name(), " : float");
      case ValueKind::Bool:
        return concat("%", value.name(), " : bool");
      case ValueKind::None:
        return concat("%", value.name(), " : none");
      case ValueKind::Tensor:
        break;
    }
    return concat("%", value.name(), " : ", typeText(value.type()));
  }

  // As TensorType::text(), with sizes in quotes that are more than one word.
  static std::string typeText(const TensorType& type) {
    std::vector<std::string> sizes;
    for (const SymInt& size : type.shape) {
      const std::string text = size.text();
      const bool isWord = !text.empty() && text.find_first_not_of(kWordCharacters) == std::string::npos;
      sizes.push_back(isWord ? text : quote(text));
    }
    return concat(info(type.dtype).name, "[", join(sizes, ","), "]");
  }

  static std::string argument(const Argument& argument, const std::string& indent) {
    struct Visitor {
      const std::string& indent;
      std::string operator()(None) const { return "none"; }
      std::string operator()(const Value* value) const { return concat("%", value->name()); }
      std::string operator()(bool flag) const { return concat(flag); }
      std::string operator()(int64_t value) const { return concat(value); }
      std::string operator()(double value) const { return number(value); }
      std::string operator()(const std::string& text) const { return quote(text); }
      std::string operator()(DType dtype) const { return concat("dtype:", info(dtype).name); }
      std::string operator()(MemoryFormat format) const { return concat("format:", formatName(format)); }
      std::string operator()(const Opaque& opaque) const { return concat("opaque:", quote(opaque.text)); }
      std::string operator()(const IntList& list) const {
        std::vector<std::string> items;
        for (const IntItem& item : list) {
          const auto* known = std::get_if<int64_t>(&item);
          const auto* symbolic = std::get_if<SymInt>(&item);
          items.push_back(known      ? concat(*known)
                          : symbolic ? (*this)(*symbolic)
                                     : concat("%", std::get<Value*>(item)->name()));
        }
        return concat("[", join(items, ", "), "]");
      }
      std::string operator()(const FloatList& list) const {
        std::vector<std::string> items;
        for (const double item : list) items.push_back(number(item));
        return concat("floats[", join(items, ", "), "]");
      }
      std::string operator()(const BoolList& list) const {
        std::vector<std::string> items;
        for (const bool item : list) items.push_back(concat(item));
        return concat("bools[", join(items, ", "), "]");
      }
      std::string operator()(const ValueList& list) const {
        std::vector<std::string> items;
        for (const Value* item : list) items.push_back(item ? concat("%", item->name()) : "none");
        return concat("{", join(items, ", "), "}");
      }
      std::string operator()(const SymInt& size) const { return concat("sym:", quote(size.text())); }
      std::string operator()(const std::shared_ptr<Graph>& graph) const { return Printer().print(*graph, indent); }
    };
    return std::visit(Visitor{indent}, argument);
  }

  void printNode(const Node& node, const std::string& indent) {
    std::vector<std::string> results, arguments;
    for (const Value* output : node.outputs()) results.push_back(typed(*output));
    for (const Argument& given : node.args()) arguments.push_back(argument(given, indent));
    out_ +=
        concat(indent, results.empty() ? "()" : join(results, ", "), " = ", node.op(), "(", join(arguments, ", "), ")");
    const Origin& origin = node.origin();
    std::vector<std::string> places;
    if (!origin.modulePath.empty()) places.push_back(origin.modulePath);
    if (!origin.sourceFile.empty()) places.push_back(concat(origin.sourceFile, ":", origin.sourceLine));
    if (!places.empty()) out_ += concat("  # ", join(places, "; "));
    out_ += '\n';
    if (node.body) out_ += concat(indent, "body ", Printer().print(*node.body, indent), "\n");
  }

  std::string out_;
};

}  // namespace

std::string print(const Graph& graph) {
  return Printer().print(graph, "") + "\n";
}

}  // namespace exportdeck::ir
