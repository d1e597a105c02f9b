#include "pte/tensor_bounds.h"

#include <limits>

#include "base/text.h"

namespace exportdeck::pte {

namespace {

[[noreturn]] void refuse(const ir::Value& value, std::string why, std::string fix) {
  Diagnostic diagnostic;
  diagnostic.code = Code::ShapeUnsupported;
  diagnostic.message = concat("The tensor ", value.name(), " of type ", value.type().text(), " cannot be given memory");
  diagnostic.why = std::move(why);
  diagnostic.fixes = {std::move(fix)};
  if (value.producer() != nullptr) diagnostic.where = value.producer()->origin();
  throw ExportError(std::move(diagnostic));
}

int64_t bound(const ir::Value& value, const ir::SymInt& size) {
  int64_t number = 0;
  if (size.isStatic()) {
    number = size.value();
  } else if (size.expr()->upper) {
    number = *size.expr()->upper;
  } else {
    refuse(value, concat("Memory is planned at export, and the size ", size.text(), " has no upper bound"),
           "Give the dimension a `max` in torch.export.Dim and export again");
  }
  if (number < 0 || number > std::numeric_limits<int32_t>::max()) {
    refuse(value,
           concat("The size ", size.text(), " may reach ", number, ", and a program holds sizes up to 2147483647"),
           "Give the dimension a smaller `max` in torch.export.Dim, or split the tensor");
  }
  return number;
}

}  // namespace

ir::Sizes boundedSizes(const ir::Value& value) {
  ir::Sizes sizes;
  sizes.reserve(value.type().rank());
  for (const ir::SymInt& size : value.type().shape) sizes.push_back(bound(value, size));
  return sizes;
}

uint64_t boundedBytes(const ir::Value& value) {
  int64_t bytes = static_cast<int64_t>(ir::sizeOf(value.type().dtype));
  bool tooLarge = false;
  for (const int64_t size : boundedSizes(value)) {
    if (size == 0) return 0;
    tooLarge = tooLarge || __builtin_mul_overflow(bytes, size, &bytes);
  }
  if (tooLarge)
    refuse(value, "Its upper bound is over 2^63 bytes", "Give its dimensions smaller `max` values in torch.export.Dim");
  return static_cast<uint64_t>(bytes);
}

}  // namespace exportdeck::pte
