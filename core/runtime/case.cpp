// Case folders: case.json says what the raw files hold.
#include <cmath>
#include <filesystem>

#include "base/diagnostic.h"
#include "base/sink.h"
#include "base/text.h"
#include "runtime/dtype.h"
#include "runtime/program.h"

namespace exportdeck::runtime {

namespace {

using nlohmann::json;

[[noreturn]] void invalid(const std::string& folder, const std::string& what) {
  throw ExportError(Code::CaseInvalid, concat("the case ", folder, " cannot be used: ", what),
                    {"give a folder that holds case.json and the raw tensor files it names"});
}

class CaseReader {
 public:
  explicit CaseReader(std::string folder) : folder_(std::move(folder)) {}
  Case read();

 private:
  const json& field(const json& object, const char* key) const;
  template <typename Kind>
  Kind get(const json& object, const char* key) const;
  HostValue value(const json& spec) const;
  HostTensor tensor(const json& spec) const;
  Bytes rawFile(const std::string& name, uint64_t size) const;
  std::vector<HostValue> values(const json& specs) const;
  CaseCall call(const json& object) const {
    return {values(field(object, "inputs")), values(field(object, "outputs"))};
  }

  std::string folder_;
};

const json& CaseReader::field(const json& object, const char* key) const {
  if (!object.is_object() || !object.contains(key)) invalid(folder_, concat("\"", key, "\" is missing"));
  return object.at(key);
}

template <typename Kind>
Kind CaseReader::get(const json& object, const char* key) const {
  try {
    return field(object, key).get<Kind>();
  } catch (const json::exception&) {
    invalid(folder_, concat("\"", key, "\" is of the wrong kind"));
  }
}

Bytes CaseReader::rawFile(const std::string& name, uint64_t size) const {
  const std::filesystem::path relative(name);
  if (name.empty() || relative.is_absolute() || *relative.lexically_normal().begin() == "..") {
    invalid(folder_, concat("the file ", name, " lies outside of it"));
  }
  const std::string path = (std::filesystem::path(folder_) / relative).string();
  try {
    const auto file = InputFile::open(path);
    if (file->size() != size)
      invalid(folder_, concat(name, " holds ", file->size(), " bytes where its shape needs ", size));
    Bytes bytes(size);
    file->read(0, bytes);
    return bytes;
  } catch (const ExportError& error) {
    if (error.diagnostic().code == Code::CaseInvalid) throw;
    invalid(folder_, error.diagnostic().message);
  }
}

HostTensor CaseReader::tensor(const json& spec) const {
  HostTensor tensor{get<std::string>(spec, "dtype"), get<std::vector<int64_t>>(spec, "shape"), {}};
  const Element* element = elementNamed(tensor.dtype);
  if (element == nullptr) invalid(folder_, concat("the dtype ", tensor.dtype, " is not known"));
  uint64_t size = element->size;
  for (const int64_t dimension : tensor.sizes) {
    if (dimension < 0 || __builtin_mul_overflow(size, static_cast<uint64_t>(dimension), &size)) {
      invalid(folder_, concat("the shape [", join(tensor.sizes, ","), "] is impossible"));
    }
  }
  tensor.bytes = rawFile(get<std::string>(spec, "file"), size);
  return tensor;
}

HostValue CaseReader::value(const json& spec) const {
  const std::string kind = spec.is_object() && spec.contains("kind") ? get<std::string>(spec, "kind") : "tensor";
  if (kind == "tensor") return tensor(spec);
  if (kind == "int") return get<int64_t>(spec, "value");
  if (kind == "float") return get<double>(spec, "value");
  if (kind == "bool") return get<bool>(spec, "value");
  if (kind == "string") return get<std::string>(spec, "value");
  if (kind == "none") return std::monostate{};
  invalid(folder_, concat("the kind ", kind, " is not known"));
}

std::vector<HostValue> CaseReader::values(const json& specs) const {
  if (!specs.is_array()) invalid(folder_, "inputs or outputs are not a list");
  std::vector<HostValue> values;
  for (const json& spec : specs) values.push_back(value(spec));
  return values;
}

Case CaseReader::read() {
  const std::filesystem::path file = std::filesystem::path(folder_) / "case.json";
  std::string text;
  try {
    text = readTextFile(file.string());
  } catch (const ExportError& error) {
    invalid(folder_, error.diagnostic().message);
  }
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object()) invalid(folder_, "case.json is not a JSON object");
  Case result;
  result.name = root.contains("name") ? get<std::string>(root, "name") : file.parent_path().filename().string();
  result.calls.push_back(call(root));
  if (root.contains("extra_sets")) {
    if (!root.at("extra_sets").is_array()) invalid(folder_, "\"extra_sets\" is not a list");
    for (const json& more : root.at("extra_sets")) result.calls.push_back(call(more));
  }
  if (root.contains("atol")) result.tolerance.absolute = get<double>(root, "atol");
  if (root.contains("rtol")) result.tolerance.relative = get<double>(root, "rtol");
  return result;
}

}  // namespace

Case readCase(const std::string& folder) {
  return CaseReader(folder).read();
}

}  // namespace exportdeck::runtime
