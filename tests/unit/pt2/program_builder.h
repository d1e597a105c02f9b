// A small exported program as an archive, with parts that a test can replace: y = x + w, of shape [2, 3].
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "unit/pt2/zip_builder.h"

namespace exportdeck::tests {

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("the text to replace is not there: " + from);
  return text.replace(at, from.size(), to);
}

inline std::string rawFloats(const std::vector<float>& values) {
  std::string raw(values.size() * sizeof(float), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());
  return raw;
}

inline std::string tensorMeta(const std::string& sizes, const std::string& strides, int offset = 0, int dtype = 7) {
  return R"({"dtype": )" + std::to_string(dtype) + R"(, "sizes": [)" + sizes + R"(], "requires_grad": false,
    "device": {"type": "cpu", "index": null}, "strides": [)" +
         strides + R"(], "storage_offset": {"as_int": )" + std::to_string(offset) + R"(}, "layout": 7})";
}

inline std::string ints(const std::vector<int>& values) {
  std::string text;
  for (const int value : values) text += (text.empty() ? "" : ", ") + ("{\"as_int\": " + std::to_string(value) + "}");
  return text;
}

struct ProgramBuilder {
  std::string format = "pt2", version = "0", order = "little";
  std::string program = R"({"graph_module": {"graph": {
    "inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}],
    "outputs": [{"as_tensor": {"name": "add"}}],
    "nodes": [{"target": "torch.ops.aten.add.Tensor",
      "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1},
                 {"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}],
      "outputs": [{"as_tensor": {"name": "add"}}],
      "metadata": {"stack_trace": "  File \"/home/me/model.py\", line 12, in forward\n    return x + self.w\n",
                   "nn_module_stack": "L__self__,,model.Net;L__self__head,head,model.Head"},
      "is_hop_single_tensor_return": null, "name": "add"}],
    "tensor_values": {"p_w": )" +
                        tensorMeta(ints({2, 3}), ints({3, 1})) + R"(, "x": )" + tensorMeta(ints({2, 3}), ints({3, 1})) +
                        R"(, "add": )" + tensorMeta(ints({2, 3}), ints({3, 1})) + R"(},
    "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": false, "custom_obj_values": {}, "sym_float_values": {}},
    "signature": {"input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
                                  {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
                  "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "add"}}}}]},
    "module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": "[1, IN]", "out_spec": "[1, OUT]",
      "forward_arg_names": ["x"]}}], "metadata": {}},
    "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20},
    "verifiers": ["TRAINING"], "torch_version": "2.13.0+cpu"})";
  std::string weights =
      R"({"config": {"w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": )" +
      tensorMeta(ints({2, 3}), ints({3, 1})) + "}}}";
  std::string constants = R"({"config": {}})";
  std::vector<std::pair<std::string, std::string>> records = {{"data/weights/weight_0", rawFloats({0, 1, 2, 3, 4, 5})}};

  std::string archive() const {
    ZipBuilder zip;
    for (const auto& [name, payload] : records) zip.add("net/" + name, payload);
    zip.add("net/data/weights/model_weights_config.json", weights);
    zip.add("net/data/constants/model_constants_config.json", constants);
    zip.add("net/models/model.json", program);
    zip.add("net/archive_format", format);
    zip.add("net/archive_version", version);
    zip.add("net/byteorder", order);
    return zip.finish();
  }
};

}  // namespace exportdeck::tests
