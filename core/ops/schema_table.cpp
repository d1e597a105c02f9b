// Lookup of schemas and kernels by name. Both tables are indexed once; a schema is parsed when it is first asked for.
#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>

#include "base/diagnostic.h"
#include "base/text.h"
#include "ops/data/tables.h"
#include "ops/runtime_profile.h"
#include "ops/schema.h"
#include "ops/schema_parser.h"

namespace exportdeck::ops {

namespace {

template <typename Function>
void eachLine(std::string_view text, Function function) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty() && line.front() != '#') function(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

class SchemaTable {
 public:
  static SchemaTable& instance() {
    static SchemaTable table;
    return table;
  }

  const OpSchema* find(std::string_view op) {
    const auto found = index_.find(registryName(op));
    if (found == index_.end()) return nullptr;
    Entry& entry = *found->second;
    std::call_once(entry.parsed, [&] { entry.schema = parseSchema(entry.text); });
    return &entry.schema;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    all.reserve(entries_.size());
    for (const Entry& entry : entries_) all.push_back(operatorName(entry.text.substr(0, entry.text.find('('))));
    return all;
  }

 private:
  struct Entry {
    explicit Entry(std::string_view line) : text(line) {}
    std::string_view text;
    std::once_flag parsed;
    OpSchema schema;
  };

  SchemaTable() {
    eachLine(schemaLines, [this](std::string_view line) {
      Entry& entry = entries_.emplace_back(line);
      index_.emplace(line.substr(0, line.find('(')), &entry);
    });
  }

  std::deque<Entry> entries_;
  std::unordered_map<std::string_view, Entry*> index_;
};

class KernelTable {
 public:
  static const KernelTable& instance() {
    static const KernelTable table;
    return table;
  }

  const KernelInfo* find(std::string_view op) const {
    const auto found = index_.find(std::string(op));
    return found == index_.end() ? nullptr : found->second;
  }

  std::vector<const KernelInfo*> all() const {
    std::vector<const KernelInfo*> out;
    for (const KernelInfo& kernel : kernels_) out.push_back(&kernel);
    return out;
  }

 private:
  KernelTable() {
    eachLine(kernelLines, [this](std::string_view line) { add(split(line, '\t')); });
  }

  void add(const std::vector<std::string>& columns) {
    check(columns.size() == 3, "a line of the kernel table has three columns");
    KernelInfo& kernel = kernels_.emplace_back();
    const std::string& name = columns[0];
    const size_t dot = name.find('.');
    kernel.name = name.substr(0, dot);
    kernel.overload = dot == std::string::npos ? std::string() : name.substr(dot + 1);
    kernel.group = columns[1];
    kernel.schema = SchemaTable::instance().find(operatorName(name));
    check(kernel.schema != nullptr, concat("the schema table lacks ", name));
    for (const ArgSchema& arg : kernel.schema->args) {
      if (arg.written && arg.keywordOnly) kernel.outNames.push_back(arg.name);
    }
    index_.emplace(operatorName(name), &kernel);
    for (const std::string& op : split(columns[2], ',')) {
      if (!op.empty()) index_.emplace(op, &kernel);
    }
  }

  std::deque<KernelInfo> kernels_;
  std::unordered_map<std::string, const KernelInfo*> index_;
};

}  // namespace

int OpSchema::argIndex(std::string_view argName) const {
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].name == argName) return static_cast<int>(i);
  }
  return -1;
}

bool KernelInfo::isOut(std::string_view argName) const {
  return std::find(outNames.begin(), outNames.end(), argName) != outNames.end();
}

const OpSchema* findSchema(std::string_view op) {
  return SchemaTable::instance().find(op);
}
const KernelInfo* kernelFor(std::string_view op) {
  return KernelTable::instance().find(op);
}
std::vector<const KernelInfo*> allKernels() {
  return KernelTable::instance().all();
}
std::vector<std::string> allOperators() {
  return SchemaTable::instance().names();
}

}  // namespace exportdeck::ops
