// The files of resources/backends and resources/profiles, built into the program.
#pragma once

#include <span>
#include <string_view>

namespace exportdeck::options {

struct Resource {
  std::string_view name;  // "backends/xnnpack.json"
  std::string_view text;
};
// Sorted by name. Defined in a source file that core/options/resources.cmake generates.
std::span<const Resource> builtInResources();

}  // namespace exportdeck::options
