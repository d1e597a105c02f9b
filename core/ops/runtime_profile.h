// Runtime profiles: which kernels the runtime has that a program is made for.
//
// Source of the facts: ops/data/kernels.txt, from the registry of the ExecuTorch 1.5.1 SDK's libraries and from its
// kernels/portable/functions.yaml. Groups nest: every runtime has the prim kernels; `portable` adds what that file
// declares, `optimized` the rest of the optimized library, `quantized` the quantized library.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ops/schema.h"

namespace exportdeck::ops {

// Every kernel of the SDK's libraries, by name. Thread-safe.
std::vector<const KernelInfo*> allKernels();

// The group of a kernel by its registry name ("aten::add.out"): "prim", "portable", "optimized", "quantized"; empty for
// one that the SDK does not have.
std::string kernelGroup(std::string_view kernel);

class RuntimeProfile {
 public:
  // The libraries of the SDK, with which programs are run and verified here: `quantized`.
  static RuntimeProfile standard();
  // "portable", "optimized", "quantized", or the path of a file: one operator ("aten::add.out") a line, or several
  // between commas, '#' starts a comment. Throws Usage for a word that is neither, FileNotFound, FileUnreadable,
  // ProfileInvalid for a file that holds anything else.
  static RuntimeProfile find(const std::string& nameOrFile);
  static RuntimeProfile fromList(std::string name, std::string_view text);

  const std::string& name() const { return name_; }  // as it was given
  std::string meaning() const;                       // a sentence for people
  // `kernel` is a registry name: "aten::add.out".
  bool has(std::string_view kernel) const;
  bool has(const KernelInfo& kernel) const;

  // The profiles by name that have all of these kernels, the smallest first; none where an own list is needed.
  static std::vector<std::string> namesWith(const std::vector<std::string>& kernels);

 private:
  explicit RuntimeProfile(std::string name) : name_(std::move(name)) {}
  std::string name_;
  std::unordered_set<std::string> kernels_;
  bool isList_ = false;
};

}  // namespace exportdeck::ops
