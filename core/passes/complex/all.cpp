#include "base/text.h"
#include "passes/complex/parts.h"

// One line a file of this folder: its function registerNAME(). Named here, so that the linker keeps the file.
#define EXPORTDECK_COMPLEX(ADD) \
  ADD(Arithmetic)               \
  ADD(Conversions)              \
  ADD(Fourier)                  \
  ADD(Products)                 \
  ADD(ShortTime)                \
  ADD(Structure)

namespace exportdeck::passes::complex {

#define EXPORTDECK_DECLARE(NAME) void register##NAME(Table& table);
EXPORTDECK_COMPLEX(EXPORTDECK_DECLARE)
#undef EXPORTDECK_DECLARE

Table::Table() {
#define EXPORTDECK_REGISTER(NAME) register##NAME(*this);
  EXPORTDECK_COMPLEX(EXPORTDECK_REGISTER)
#undef EXPORTDECK_REGISTER
}

const Table& Table::instance() {
  static const Table table;
  return table;
}

void Table::add(std::initializer_list<std::string_view> ops, Rewrite rewrite) {
  for (const std::string_view op : ops) {
    check(table_.emplace(op, rewrite).second, concat("two complex forms are registered for ", op));
  }
}

Rewrite Table::find(std::string_view op) const {
  const auto found = table_.find(op);
  return found == table_.end() ? nullptr : found->second;
}

}  // namespace exportdeck::passes::complex
