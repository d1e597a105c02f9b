// Constants in the form in which XNNPACK wants them.
#pragma once

#include <memory>
#include <string>

#include "backends/xnnpack/subgraph.h"
#include "ir/graph.h"

namespace exportdeck::backends::xnnpack {

// A constant seen as `viewed` (row-major; same number of elements), its dimensions reordered so that dimension i of the
// result is dimension order[i], its elements converted, and the result declared with `dims`.
struct StaticForm {
  ir::Sizes viewed;
  ir::Sizes order;
  ir::DType dtype = ir::DType::Float32;
  ir::Sizes dims;    // of the XNNPACK value
  std::string role;  // "conv", "fc", "value": part of the key, since the runtime's weight cache goes by key alone

  // As it is.
  static StaticForm plain(const ir::Sizes& sizes, ir::DType dtype, std::string role);
};

// The bytes in that form. Unchanged constants keep their byte source, so that they are copied within the file system
// and tied weights are stored once; others become a recipe that reads the source in a stream and holds one block of it
// at a time (a block spans the dimensions behind the leading ones that stay in place).
std::shared_ptr<const ByteSource> bytesInForm(const ir::Constant& constant, const StaticForm& form);

// The same as named data. The key says what the bytes are: a hash of the constant's own bytes and the form. Reads them
// once, to hash them.
std::shared_ptr<const StaticData> makeStaticData(const ir::Constant& constant, const StaticForm& form);

// Role, element type, dimensions and reordering as a word: "conv_f32_8x3x3x3_8x3x3x3_0231".
std::string describe(const StaticForm& form);

}  // namespace exportdeck::backends::xnnpack
