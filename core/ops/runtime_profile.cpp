#include "ops/runtime_profile.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "base/diagnostic.h"
#include "base/sink.h"
#include "base/text.h"

namespace exportdeck::ops {

namespace {

constexpr uint64_t kLargestList = 1u << 20;  // bytes; all kernels of the SDK take 8,000

struct Library {
  std::string_view name;  // of the profile and of the group of kernels that it adds to those before
  std::string_view meaning;
};
constexpr Library kLibraries[] = {
    {"portable",
     "the kernels that kernels/portable/functions.yaml of ExecuTorch 1.5.1 declares; element types are those that the "
     "optimized library was seen to take, since the SDK does not hold the portable one"},
    {"optimized", "the runtime and the optimized library of the ExecuTorch 1.5.1 SDK"},
    {"quantized", "the runtime, the optimized and the quantized library of the ExecuTorch 1.5.1 SDK"},
};

// Prim kernels without a schema: programs of other exporters call them (kernels/prim_ops/register_prim_ops.cpp).
constexpr std::string_view kFurtherPrims[] = {"executorch_prim::et_copy_index.tensor"};

std::string nameOf(const KernelInfo& kernel) {
  return kernel.overload.empty() ? kernel.name : concat(kernel.name, '.', kernel.overload);
}

// Registry name -> group.
const std::unordered_map<std::string, std::string>& kernelGroups() {
  static const auto groups = [] {
    std::unordered_map<std::string, std::string> out;
    for (const KernelInfo* kernel : allKernels()) out.emplace(nameOf(*kernel), kernel->group);
    for (const std::string_view prim : kFurtherPrims) out.emplace(prim, "prim");
    return out;
  }();
  return groups;
}

std::vector<std::string> libraryNames() {
  std::vector<std::string> names;
  for (const Library& library : kLibraries) names.emplace_back(library.name);
  return names;
}

// "aten::add.out", "aten::copy_"
bool isOperatorName(std::string_view text) {
  const size_t colons = text.find("::");
  if (colons == std::string_view::npos || colons == 0 || colons + 2 == text.size()) return false;
  const auto isWord = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const std::string_view space = text.substr(0, colons), rest = text.substr(colons + 2);
  const size_t dot = rest.find('.');
  if (dot == 0 || dot + 1 == rest.size() || std::count(rest.begin(), rest.end(), '.') > 1) return false;
  return std::all_of(space.begin(), space.end(), isWord) &&
         std::all_of(rest.begin(), rest.end(), [&](char c) { return isWord(c) || c == '.'; });
}

[[noreturn]] void refuseLine(const std::string& name, size_t line, std::string_view item) {
  std::string shown;
  for (const char c : item.substr(0, 60)) shown += c < ' ' || c > '~' ? '?' : c;
  throw ExportError(Code::ProfileInvalid,
                    concat("The runtime profile ", name, ", line ", line, ": \"", shown, "\" is no operator name"),
                    {"write one operator a line as the runtime registers it: aten::add.out"});
}

}  // namespace

std::string kernelGroup(std::string_view kernel) {
  const auto found = kernelGroups().find(std::string(kernel));
  return found == kernelGroups().end() ? std::string() : found->second;
}

RuntimeProfile RuntimeProfile::standard() {
  return find("quantized");
}

RuntimeProfile RuntimeProfile::find(const std::string& nameOrFile) {
  const std::vector<std::string> names = libraryNames();
  const auto known = std::find(names.begin(), names.end(), nameOrFile);
  if (known != names.end()) {
    RuntimeProfile out(nameOrFile);
    for (const auto& [kernel, group] : kernelGroups()) {
      if (group == "prim" || std::find(names.begin(), known + 1, group) != known + 1) out.kernels_.insert(kernel);
    }
    return out;
  }
  // A word without a folder or an ending that names no file is a mistyped name.
  std::error_code ignored;
  if (nameOrFile.find_first_of("/.") == std::string::npos && !std::filesystem::exists(nameOrFile, ignored)) {
    std::vector<std::string> fixes;
    if (const std::string near = nearestMatch(nameOrFile, names); !near.empty()) {
      fixes.push_back(concat("use --runtime-profile ", near));
    }
    fixes.emplace_back("give a file with one operator name a line");
    throw ExportError(
        Code::Usage,
        concat("There is no runtime profile and no file \"", nameOrFile, "\"; the profiles are ", join(names, ", ")),
        std::move(fixes));
  }
  return fromList(nameOrFile, readTextFile(nameOrFile, kLargestList));
}

RuntimeProfile RuntimeProfile::fromList(std::string name, std::string_view text) {
  RuntimeProfile out(std::move(name));
  out.isList_ = true;
  for (const auto& [kernel, group] : kernelGroups()) {
    if (group == "prim") out.kernels_.insert(kernel);
  }
  size_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    for (const std::string& part : split(std::string_view(line).substr(0, line.find('#')), ',')) {
      const std::string_view item = trim(part);
      if (item.empty()) continue;
      if (!isOperatorName(item)) refuseLine(out.name_, number, item);
      out.kernels_.emplace(item);
    }
  }
  return out;
}

std::string RuntimeProfile::meaning() const {
  for (const Library& library : kLibraries) {
    if (!isList_ && library.name == name_) return std::string(library.meaning);
  }
  return "the runtime and the operators that the file lists";
}

bool RuntimeProfile::has(std::string_view kernel) const {
  return kernels_.contains(std::string(kernel));
}
bool RuntimeProfile::has(const KernelInfo& kernel) const {
  return has(nameOf(kernel));
}

std::vector<std::string> RuntimeProfile::namesWith(const std::vector<std::string>& kernels) {
  std::vector<std::string> out;
  for (const std::string& name : libraryNames()) {
    const RuntimeProfile profile = find(name);
    if (std::all_of(kernels.begin(), kernels.end(), [&](const std::string& kernel) { return profile.has(kernel); })) {
      out.push_back(name);
    }
  }
  return out;
}

}  // namespace exportdeck::ops
