#include "passes/constant_math.h"

#include "base/text.h"
#include "passes/element.h"

namespace exportdeck::passes {

namespace {

ir::ConstantPtr makeConstant(std::string name, ir::TensorType type, std::shared_ptr<const ByteSource> data) {
  return std::make_shared<const ir::Constant>(ir::Constant{std::move(name), std::move(type), std::move(data)});
}

// Copies elements of `width` bytes; the innermost dimension runs without carrying.
Bytes gather(const Bytes& source, const ir::Sizes& sizes, const ir::Sizes& strides, int64_t offset, size_t width) {
  uint64_t count = 1;
  for (const int64_t size : sizes) count *= static_cast<uint64_t>(size);
  Bytes out(count * width);
  if (count == 0) return out;
  const size_t rank = sizes.size();
  std::vector<int64_t> index(rank, 0);
  int64_t position = offset;
  for (uint64_t i = 0; i < count; ++i) {
    std::memcpy(out.data() + i * width, source.data() + static_cast<size_t>(position) * width, width);
    for (size_t d = rank; d-- > 0;) {
      position += strides[d];
      if (++index[d] < sizes[d]) break;
      position -= strides[d] * sizes[d];
      index[d] = 0;
    }
  }
  return out;
}

}  // namespace

ir::ConstantPtr reshapedConstant(const ir::ConstantPtr& from, const ir::Sizes& sizes) {
  return makeConstant(from->name, {from->type.dtype, sizes}, from->data);
}

ir::ConstantPtr stridedConstant(const ir::ConstantPtr& from, const ir::Sizes& sizes, const ir::Sizes& strides,
                                int64_t offset, std::string name) {
  ir::TensorType type(from->type.dtype, sizes);
  const size_t width = sizeOf(type.dtype);
  auto make = [data = from->data, sizes, strides, offset, width] {
    return gather(data->materialise(), sizes, strides, offset, width);
  };
  const uint64_t bytes = type.bytes();
  return makeConstant(std::move(name), std::move(type), bytesMade(bytes, std::move(make)));
}

ir::ConstantPtr convertedConstant(const ir::ConstantPtr& from, ir::DType dtype) {
  ir::TensorType type(dtype, from->type.sizes());
  const uint64_t bytes = type.bytes();
  auto make = [data = from->data, source = from->type.dtype, dtype, bytes] {
    const Bytes in = data->materialise();
    Bytes out(bytes);
    visitElementType(source, [&]<typename From>(From) {
      visitElementType(dtype, [&]<typename To>(To) {
        for (size_t i = 0; i < bytes / sizeof(To); ++i) {
          storeElement(out.data(), i, convertElement<To>(loadElement<From>(in.data(), i)));
        }
      });
    });
    return out;
  };
  ir::Constant made{concat(from->name, ".", ir::info(dtype).name), std::move(type), bytesMade(bytes, std::move(make))};
  if (dtype == ir::DType::Float32 && from->type.dtype == ir::DType::Int8)
    made.integers = std::make_shared<const ir::Integers>(ir::Integers{from->data, {1.0f}});
  return std::make_shared<const ir::Constant>(std::move(made));
}

Bytes filledBytes(uint64_t count, const Number& value, ir::DType dtype) {
  Bytes out(count * sizeOf(dtype));
  visitElementType(dtype, [&]<typename T>(T) {
    const T element = std::visit([](auto number) { return convertElement<T>(number); }, value);
    for (uint64_t i = 0; i < count; ++i) storeElement(out.data(), i, element);
  });
  return out;
}

std::vector<double> readAsDoubles(const ir::Constant& constant) {
  const Bytes bytes = constant.data->materialise();
  std::vector<double> out(static_cast<size_t>(constant.type.elements()));
  visitElementType(constant.type.dtype, [&]<typename T>(T) {
    for (size_t i = 0; i < out.size(); ++i) out[i] = convertElement<double>(loadElement<T>(bytes.data(), i));
  });
  return out;
}

Bytes bytesOfDoubles(const std::vector<double>& values, ir::DType dtype) {
  Bytes out(values.size() * sizeOf(dtype));
  visitElementType(dtype, [&]<typename T>(T) {
    for (size_t i = 0; i < values.size(); ++i) storeElement(out.data(), i, convertElement<T>(values[i]));
  });
  return out;
}

std::optional<double> constantNumber(const ir::Value* value) {
  if (!value->isConstant() || !value->type().isStatic() || value->type().elements() != 1) return std::nullopt;
  if (!isComputable(value->type().dtype)) return std::nullopt;
  return readAsDoubles(*value->constant()).front();
}

}  // namespace exportdeck::passes
