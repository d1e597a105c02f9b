// The example inputs: what torch.save made of (args, kwargs). See pickle.cpp for the opcodes that are allowed.
#include <algorithm>
#include <stdexcept>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/json.h"
#include "pt2/layout.h"
#include "pt2/reader.h"
#include "pt2/torch_save.h"

namespace exportdeck::pt2 {

namespace {

constexpr uint64_t kInflatedLimit = 256u << 20;
constexpr int kDepthLimit = 64;
constexpr size_t kLeafLimit = 100'000;

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error(what);
}

// Flattens the call as PyTorch does: along the tree spec that the program was exported with.
class Flattener {
 public:
  explicit Flattener(std::vector<const PickleValue*>& leaves) : leaves_(leaves) {}
  void flatten(const PickleValue& value, json::Element spec, int depth);

 private:
  void flattenSequence(const PickleValue& value, json::Array children, int depth);
  void flattenDict(const PickleValue& value, json::Array children, std::string_view context, int depth);
  std::vector<const PickleValue*>& leaves_;
};

void Flattener::flatten(const PickleValue& value, json::Element spec, int depth) {
  if (depth > kDepthLimit || leaves_.size() > kLeafLimit) refuse("the example inputs nest too deeply");
  const json::Object fields = json::object(spec, "in_spec");
  const auto type = json::find(fields, "type");
  if (!type) return leaves_.push_back(&value);
  const auto name = json::string(*type, "in_spec");
  const auto children = json::array(json::at(fields, "children_spec"), "in_spec");
  if (name == "builtins.tuple" || name == "builtins.list") return flattenSequence(value, children, depth);
  if (name == "builtins.dict" || name == "collections.OrderedDict") {
    return flattenDict(value, children, json::string(json::at(fields, "context"), "in_spec"), depth);
  }
  refuse(concat("the example inputs hold a ", name, ", which is not read"));
}

void Flattener::flattenSequence(const PickleValue& value, json::Array children, int depth) {
  const auto* sequence = std::get_if<PickleSequence>(&value.data);
  if (sequence == nullptr || sequence->items.size() != children.size())
    refuse("the example inputs do not match the program's arguments");
  size_t i = 0;
  for (const json::Element child : children) flatten(*sequence->items[i++], child, depth + 1);
}

// `context` is a JSON list of the keys in the order of the children.
void Flattener::flattenDict(const PickleValue& value, json::Array children, std::string_view context, int depth) {
  const auto* dict = std::get_if<PickleDict>(&value.data);
  simdjson::dom::parser parser;
  json::Array keys;
  if (dict == nullptr || parser.parse(simdjson::padded_string(context)).get(keys) != simdjson::SUCCESS ||
      keys.size() != children.size()) {
    refuse("the example inputs do not match the program's arguments");
  }
  auto child = children.begin();
  for (const json::Element key : keys) {
    const auto wanted = json::string(key, "in_spec");
    const auto found = std::find_if(dict->items.begin(), dict->items.end(), [&](const auto& item) {
      const auto* text = std::get_if<std::string>(&item.first->data);
      return text != nullptr && *text == wanted;
    });
    if (found == dict->items.end()) refuse(concat("the example inputs lack the argument ", wanted));
    flatten(*found->second, *child, depth + 1);
    ++child;
  }
}

ir::ConstantPtr tensorConstant(const SavedObject& call, const PickleTensor& tensor, size_t index) {
  const StoredTensor stored = call.locate(tensor, concat("example input ", index));
  auto constant = std::make_shared<ir::Constant>();
  constant->name = concat("input_", index);
  constant->type = ir::TensorType(stored.dtype, stored.view.sizes);
  constant->data =
      stored.view.isEmpty() ? bytesInMemory({}) : gathered(stored.archive->bytes(stored.record), stored.view);
  return constant;
}

void addLeaf(SampleInputs& inputs, const SavedObject& call, const PickleValue& leaf) {
  ir::Argument fixed;
  ir::ConstantPtr tensor;
  if (const auto* found = std::get_if<PickleTensor>(&leaf.data)) {
    tensor = tensorConstant(call, *found, inputs.tensors.size());
  } else if (const auto* flag = std::get_if<bool>(&leaf.data)) {
    fixed = *flag;
  } else if (const auto* integer = std::get_if<int64_t>(&leaf.data)) {
    fixed = *integer;
  } else if (const auto* number = std::get_if<double>(&leaf.data)) {
    fixed = *number;
  } else if (const auto* text = std::get_if<std::string>(&leaf.data)) {
    fixed = *text;
  } else if (!std::holds_alternative<std::monostate>(leaf.data)) {
    refuse("an example input is neither a tensor, a number, a text nor None");
  }
  inputs.fixed.push_back(std::move(fixed));
  inputs.tensors.push_back(std::move(tensor));
}

SampleInputs readInputs(const Archive& archive) {
  const Layout layout = findLayout(archive);
  const auto* found = archive.find(layout.sampleInputs);
  if (found == nullptr || found->size == 0) refuse("the archive holds no example inputs");
  const SavedObject call(archive, layout.sampleInputs, kInflatedLimit);

  const json::Document document(archive, layout.program);
  const std::string spec =
      readContainers(json::object(json::at(document.root(), "graph_module"), "graph_module")).input;
  simdjson::dom::parser parser;
  json::Array versioned;  // [1, TreeSpec]
  json::Element tree;
  if (parser.parse(simdjson::padded_string(spec)).get(versioned) != simdjson::SUCCESS ||
      versioned.at(1).get(tree) != simdjson::SUCCESS) {
    refuse("the program does not state how its arguments nest");
  }
  std::vector<const PickleValue*> leaves;
  Flattener(leaves).flatten(call.root(), tree, 0);
  SampleInputs inputs;
  for (const PickleValue* leaf : leaves) addLeaf(inputs, call, *leaf);
  return inputs;
}

}  // namespace

SampleInputs readSampleInputs(const Archive& archive) {
  SampleInputs none;
  try {
    return readInputs(archive);
  } catch (const ExportError& error) {
    none.why = error.diagnostic().message;
  } catch (const std::runtime_error& error) {
    none.why = error.what();
  }
  return none;
}

}  // namespace exportdeck::pt2
