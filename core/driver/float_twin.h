// The program that an export would be without quantisation, to compare with.
#pragma once

#include <string>
#include <vector>

#include "base/sink.h"
#include "driver/export.h"
#include "driver/method_export.h"

namespace exportdeck::driver {

pte::WriteOptions writeOptions(const options::OptionSet& options);
std::vector<const ir::Graph*> graphsOf(const std::vector<MethodExport>& methods);

class FloatTwin {
 public:
  // Writes it beside the output, under no name; it is gone with this. Throws ExportError.
  FloatTwin(const ExportRequest& request, const Context& context);
  const std::string& path() const { return path_; }  // to read it from

 private:
  OutputFile file_;
  std::string path_;
};

}  // namespace exportdeck::driver
