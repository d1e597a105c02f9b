#include "pt2/layout.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/printable.h"

namespace exportdeck::pt2 {

namespace {

constexpr const char* kResave =
    "re-save it with torch 2.9 or later: torch.export.save(torch.export.load(\"old.pt2\"), \"new.pt2\")";
constexpr const char* kFlatProgram = "serialized_exported_program.json";
constexpr const char* kExport = "export the model with torch.export.export and torch.export.save of torch 2.9 or later";

[[noreturn]] void refuse(const Archive& archive, std::string_view what, const char* fix) {
  throw ExportError(Code::ArchiveFormat, concat(archive.path(), " ", what), {fix});
}

bool anyUnder(const Archive& archive, std::string_view prefix) {
  const auto names = archive.names();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return name.starts_with(prefix); });
}

std::string shortText(const Archive& archive, std::string_view name) {
  constexpr uint64_t kLimit = 64;
  if (archive.find(name)->size > kLimit) return "a longer text";
  return printable(trim(archive.text(name, kLimit)));
}

// torch 2.5 to 2.7: a flat zip. The text in `version` is the schema's, "8.7".
Layout flatLayout(const Archive& archive) {
  const std::string version = archive.find("version") != nullptr ? shortText(archive, "version") : "none";
  if (version != "7.3" && !version.starts_with("8.")) {
    refuse(archive, concat("has schema ", version, " of a torch before 2.5 or of a test build; 7.3 and 8.x are read"),
           kExport);
  }
  const auto part = [&](const std::string& name) {
    return archive.find(name + ".pt") == nullptr && archive.find(name + ".json") != nullptr ? name + ".json"
                                                                                            : name + ".pt";
  };
  return {kFlatProgram, part("serialized_state_dict"), part("serialized_constants"), part("serialized_example_inputs"),
          true};
}

[[noreturn]] void refuseUnmarked(const Archive& archive) {
  if (archive.find("constants.pkl") != nullptr)
    refuse(archive, "is a TorchScript archive, not an exported program", kExport);
  if (archive.find("data.pkl") != nullptr)
    refuse(archive, "is a torch.save checkpoint, which holds no program", kExport);
  refuse(archive, "is a zip archive without an exported program: it has no archive_format entry", kExport);
}

std::string onlyProgram(const Archive& archive) {
  constexpr std::string_view kFolder = "models/", kSuffix = ".json";
  std::vector<std::string> found;
  for (const std::string& name : archive.names()) {
    if (!name.starts_with(kFolder) || !name.ends_with(kSuffix) || name.size() <= kFolder.size() + kSuffix.size())
      continue;
    found.push_back(name.substr(kFolder.size(), name.size() - kFolder.size() - kSuffix.size()));
  }
  if (std::find(found.begin(), found.end(), "model") != found.end()) return "model";
  if (found.size() == 1) return found.front();
  if (!found.empty()) {
    refuse(archive, concat("holds several programs (", join(found, ", "), ") and none is called model"),
           "save one program an archive");
  }
  if (anyUnder(archive, "data/aotinductor/")) {
    refuse(archive, "is an AOTInductor package of compiled code; it holds no program to lower", kExport);
  }
  refuse(archive, "holds no program: it has no models/model.json", kExport);
}

}  // namespace

Layout findLayout(const Archive& archive) {
  if (archive.find("archive_format") == nullptr) {
    if (archive.find(kFlatProgram) != nullptr) return flatLayout(archive);
    refuseUnmarked(archive);
  }
  if (const auto format = shortText(archive, "archive_format"); format != "pt2") {
    refuse(archive, concat("has the archive format \"", format, "\", not \"pt2\""), kExport);
  }
  if (archive.find("archive_version") == nullptr) refuse(archive, "states no archive version", kResave);
  if (const auto version = shortText(archive, "archive_version"); version != "0") {
    refuse(archive, concat("has archive version ", version, "; only version 0 is known"),
           "save it with a torch release that writes archive version 0 (2.9 to 2.13 do)");
  }
  if (archive.find("byteorder") != nullptr) {
    if (const auto order = shortText(archive, "byteorder"); order != "little") {
      refuse(archive, concat("stores its weights with byte order ", order), "save it on a little-endian machine");
    }
  }
  const std::string name = onlyProgram(archive);
  Layout layout{concat("models/", name, ".json"), concat("data/weights/", name, "_weights_config.json"),
                concat("data/constants/", name, "_constants_config.json"), concat("data/sample_inputs/", name, ".pt")};
  const std::string weights = concat("data/weights/", name, ".pt"), constants = concat("data/constants/", name, ".pt");
  if (archive.find(weights) != nullptr || archive.find(constants) != nullptr) {
    if (archive.find(layout.weights) != nullptr)
      refuse(archive, "holds its weights twice, in the ways of torch 2.8 and of torch 2.9", kExport);
    layout.weights = weights;
    layout.constants = constants;
    layout.isPickled = true;
  }
  return layout;
}

ir::ContainerSpec readContainers(json::Object graphModule) {
  const auto calls = json::find(graphModule, "module_call_graph");
  if (!calls) return {};
  for (const json::Element call : json::array(*calls, "module_call_graph")) {
    const json::Object fields = json::object(call, "module_call_graph");
    const auto signature = json::find(fields, "signature");
    if (!signature || !json::string(json::at(fields, "fqn"), "module_call_graph").empty()) continue;
    const json::Object specs = json::object(*signature, "signature");
    return {std::string(json::string(json::at(specs, "in_spec"), "in_spec")),
            std::string(json::string(json::at(specs, "out_spec"), "out_spec"))};
  }
  return {};
}

}  // namespace exportdeck::pt2
