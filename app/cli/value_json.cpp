#include "cli/value_json.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/diagnostic.h"
#include "base/sink.h"
#include "base/text.h"
#include "cli/console.h"
#include "ir/type.h"

namespace exportdeck::cli {

namespace {

using ir::DType;
using nlohmann::json;

constexpr size_t kShownValues = 16;

template <typename Number>
Number load(const std::byte* at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

json floatJson(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

// float32 numbers as short as they are exact: 0.1, not 0.10000000149011612.
json shortFloat(float value) {
  return std::isfinite(value) ? json::parse(concat(value)) : floatJson(static_cast<double>(value));
}

double halfToDouble(uint16_t half) {
  const int exponent = (half >> 10) & 0x1F;
  const double fraction = half & 0x3FF;
  const double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0x1F) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

// Null for element types that JSON has no number for.
json element(DType dtype, const std::byte* at) {
  switch (dtype) {
    case DType::Bool:
      return load<uint8_t>(at) != 0;
    case DType::UInt8:
      return load<uint8_t>(at);
    case DType::Int8:
      return load<int8_t>(at);
    case DType::Int16:
      return load<int16_t>(at);
    case DType::UInt16:
      return load<uint16_t>(at);
    case DType::Int32:
      return load<int32_t>(at);
    case DType::UInt32:
      return load<uint32_t>(at);
    case DType::Int64:
      return load<int64_t>(at);
    case DType::UInt64:
      return load<uint64_t>(at);
    case DType::Float16:
      return floatJson(halfToDouble(load<uint16_t>(at)));
    case DType::BFloat16:
      return shortFloat(std::bit_cast<float>(static_cast<uint32_t>(load<uint16_t>(at)) << 16));
    case DType::Float32:
      return shortFloat(load<float>(at));
    case DType::Float64:
      return floatJson(load<double>(at));
    default:
      return nullptr;
  }
}

json tensorToJson(const runtime::HostTensor& tensor) {
  json out = {{"kind", "tensor"}, {"dtype", tensor.dtype}, {"shape", tensor.sizes}};
  const auto dtype = ir::dtypeNamed(tensor.dtype);
  if (!dtype) return out;
  const size_t size = ir::sizeOf(*dtype);
  const size_t count = tensor.bytes.size() / size;
  if (count > kShownValues) return out;
  json values = json::array();
  for (size_t i = 0; i < count; ++i) values.push_back(element(*dtype, tensor.bytes.data() + i * size));
  out["values"] = std::move(values);
  return out;
}

void makeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  if (error) {
    throw ExportError(Code::FileUnwritable, concat("The folder ", folder, " cannot be made: ", error.message()),
                      {"choose another folder for --outputs"});
  }
}

}  // namespace

json valueToJson(const runtime::HostValue& value) {
  if (const auto* tensor = std::get_if<runtime::HostTensor>(&value)) return tensorToJson(*tensor);
  if (const auto* number = std::get_if<int64_t>(&value)) return {{"kind", "int"}, {"value", *number}};
  if (const auto* number = std::get_if<double>(&value)) return {{"kind", "float"}, {"value", floatJson(*number)}};
  if (const auto* flag = std::get_if<bool>(&value)) return {{"kind", "bool"}, {"value", *flag}};
  if (const auto* text = std::get_if<std::string>(&value)) return {{"kind", "string"}, {"value", *text}};
  return {{"kind", "none"}};
}

void writeOutputs(const std::string& folder, const std::vector<runtime::HostValue>& values, json& descriptions) {
  makeFolder(folder);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto* tensor = std::get_if<runtime::HostTensor>(&values[i]);
    if (tensor == nullptr) continue;
    const std::string name = concat("output_", i, ".bin");
    const auto* data = reinterpret_cast<const char*>(tensor->bytes.data());
    writeFileAtomically((std::filesystem::path(folder) / name).string(), {data, tensor->bytes.size()}, true);
    descriptions[i]["file"] = name;
  }
  writeFileAtomically((std::filesystem::path(folder) / "outputs.json").string(),
                      jsonLine({{"outputs", descriptions}}) + "\n", true);
}

}  // namespace exportdeck::cli
