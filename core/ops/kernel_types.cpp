#include "ops/kernel_types.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "ops/data/tables.h"
#include "ops/schema_parser.h"

namespace exportdeck::ops {

namespace {

// "self:A other:A -> A" with the types that A was tried as; an entry without A has a fixed type.
struct Signature {
  struct Slot {
    std::string name;                // of operands
    std::optional<ir::DType> fixed;  // nothing: A
  };
  std::vector<Slot> operands, results;
  std::vector<ir::DType> accepted;
  std::string text;

  bool fits(const CallTypes& types) const {
    std::optional<ir::DType> variable;
    const auto matches = [&](const Slot& slot, ir::DType dtype) {
      if (slot.fixed) return *slot.fixed == dtype;
      if (!variable) variable = dtype;
      return *variable == dtype;
    };
    for (const auto& operand : types.operands) {
      const auto slot =
          std::find_if(operands.begin(), operands.end(), [&](const Slot& item) { return item.name == operand.name; });
      if (slot == operands.end() || !matches(*slot, operand.dtype)) return false;
    }
    // An out list stands for any number of results of one type.
    if (results.empty() || (results.size() > 1 && results.size() != types.results.size())) return false;
    for (size_t i = 0; i < types.results.size(); ++i) {
      if (!matches(results[results.size() == 1 ? 0 : i], types.results[i])) return false;
    }
    return !variable || std::find(accepted.begin(), accepted.end(), *variable) != accepted.end();
  }
};

Signature::Slot slotOf(std::string_view text) {
  const size_t colon = text.find(':');
  Signature::Slot slot;
  if (colon != std::string_view::npos) slot.name = std::string(text.substr(0, colon));
  const std::string_view type = colon == std::string_view::npos ? text : text.substr(colon + 1);
  if (type != "A") {
    slot.fixed = ir::dtypeNamed(type);
    check(slot.fixed.has_value(), concat("the table of kernel types has the type ", type));
  }
  return slot;
}

Signature parse(const std::string& signature, const std::string& accepted) {
  Signature out;
  out.text = signature;
  bool isResult = false;
  for (const std::string& word : split(signature, ' ')) {
    if (word == "->") {
      isResult = true;
    } else if (!word.empty()) {
      (isResult ? out.results : out.operands).push_back(slotOf(word));
    }
  }
  for (const std::string& name : split(accepted, ' ')) {
    if (const auto dtype = ir::dtypeNamed(name)) out.accepted.push_back(*dtype);
  }
  return out;
}

class TypeTable {
 public:
  static const TypeTable& instance() {
    static const TypeTable table;
    return table;
  }

  const std::vector<Signature>& of(const KernelInfo& kernel) const {
    static const std::vector<Signature> none;
    const auto found = signatures_.find(registryName(kernel.schema->name));
    return found == signatures_.end() ? none : found->second;
  }

 private:
  TypeTable() {
    for (const std::string& line : split(kernelTypeLines, '\n')) {
      if (line.empty() || line.front() == '#') continue;
      const std::vector<std::string> columns = split(line, '\t');
      check(columns.size() == 3, "a line of the table of kernel types has three columns");
      signatures_[columns[0]].push_back(parse(columns[1], columns[2]));
    }
  }

  std::unordered_map<std::string, std::vector<Signature>> signatures_;
};

}  // namespace

bool kernelTakes(const KernelInfo& kernel, const CallTypes& types) {
  const auto& signatures = TypeTable::instance().of(kernel);
  return std::any_of(signatures.begin(), signatures.end(),
                     [&](const Signature& signature) { return signature.fits(types); });
}

std::string kernelTypesText(const KernelInfo& kernel) {
  std::vector<std::string> texts;
  for (const Signature& signature : TypeTable::instance().of(kernel)) {
    std::vector<std::string> names;
    for (const ir::DType dtype : signature.accepted) names.emplace_back(ir::info(dtype).torch);
    texts.push_back(names.empty() ? signature.text : concat(signature.text, " for A = ", join(names, ", ")));
  }
  return join(texts, "; ");
}

}  // namespace exportdeck::ops
