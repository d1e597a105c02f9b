// The text form of a kernel call in kernel_calls.txt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace exportdeck::probe {

struct Absent {};
struct TensorSpec {
  std::string type;  // "A", or a fixed one: "i64"
  std::vector<int32_t> sizes;
};
struct TensorListSpec {
  std::vector<TensorSpec> items;
};
struct DTypeSpec {
  std::string type;
};
using ArgumentSpec = std::variant<Absent, bool, int64_t, double, std::string, std::vector<int64_t>, std::vector<double>,
                                  TensorSpec, TensorListSpec, DTypeSpec>;

struct CallSpec {
  std::string kernel;  // "aten::add.out"
  std::vector<ArgumentSpec> arguments;
  std::vector<ArgumentSpec> results;
  std::vector<std::string> computedWrong;  // element types
};

// The calls that one line stands for: one a kernel and choice of result types. None for comments and blank lines.
// Throws std::runtime_error for a line that cannot be read.
std::vector<CallSpec> parseCalls(std::string_view line);

}  // namespace exportdeck::probe
