// Quantising a float program's weights, from the weights alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace exportdeck::passes {

// What becomes of the weights of linear operators and embeddings.
struct Quantisation {
  enum class Linear : uint8_t { Keep, Half, Int8, DynamicInt8, DynamicInt4 };
  enum class Embedding : uint8_t { Keep, Half, Int8, Int4 };
  Linear linear = Linear::Keep;
  Embedding embedding = Embedding::Keep;
  int64_t group = 32;  // neighbours in a row that share a scale, of 4-bit integers
  // Patterns of module paths and of weights' names, with * and ?. A module counts where it or one around it matches.
  std::vector<std::string> only = {};    // empty: everywhere
  std::vector<std::string> except = {};  // wins over `only`
};

// Whether `path` ("model.layers.0.mlp"), or what lies around it, fits the pattern ("model.layers.*").
bool fitsModule(std::string_view pattern, std::string_view path);

// What became of one weight.
struct QuantisedWeight {
  std::string weight, module, op;
  std::string form;                          // "int8", "int8 dynamic", "int4 dynamic", "float16"; empty: as it was
  std::string reason;                        // where it stayed as it was: one clause
  bool isByName = false;                     // the reason is that `only` or `except` leave it out
  uint64_t bytesBefore = 0, bytesAfter = 0;  // scales included
};

}  // namespace exportdeck::passes
