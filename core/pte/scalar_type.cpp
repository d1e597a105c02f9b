#include "pte/scalar_type.h"

#include <array>

#include "base/text.h"

namespace exportdeck::pte {

namespace {

struct Entry {
  ir::DType dtype;
  int8_t number;
};
constexpr std::array kNumbers{
    Entry{ir::DType::UInt8, 0},           Entry{ir::DType::Int8, 1},
    Entry{ir::DType::Int16, 2},           Entry{ir::DType::Int32, 3},
    Entry{ir::DType::Int64, 4},           Entry{ir::DType::Float16, 5},
    Entry{ir::DType::Float32, 6},         Entry{ir::DType::Float64, 7},
    Entry{ir::DType::Bool, 11},           Entry{ir::DType::BFloat16, 15},
    Entry{ir::DType::Float8E5M2, 23},     Entry{ir::DType::Float8E4M3FN, 24},
    Entry{ir::DType::Float8E5M2FNUZ, 25}, Entry{ir::DType::Float8E4M3FNUZ, 26},
    Entry{ir::DType::UInt16, 27},         Entry{ir::DType::UInt32, 28},
    Entry{ir::DType::UInt64, 29},
};

}  // namespace

int8_t scalarType(ir::DType dtype, const ir::Value* user) {
  for (const Entry& entry : kNumbers) {
    if (entry.dtype == dtype) return entry.number;
  }
  Diagnostic diagnostic;
  diagnostic.code = Code::DtypeUnsupported;
  diagnostic.message = concat("ExecuTorch programs hold no tensors of dtype ", ir::info(dtype).torch,
                              user != nullptr ? concat(", which ", user->name(), " has") : std::string());
  diagnostic.fixes = {"Express the computation with real dtypes: the real and imaginary parts as two tensors"};
  if (user != nullptr && user->producer() != nullptr) diagnostic.where = user->producer()->origin();
  throw ExportError(std::move(diagnostic));
}

std::optional<ir::DType> dtypeOfScalarType(int8_t number) {
  for (const Entry& entry : kNumbers) {
    if (entry.number == number) return entry.dtype;
  }
  return std::nullopt;
}

}  // namespace exportdeck::pte
