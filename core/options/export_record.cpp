#include "options/export_record.h"

#include "base/text.h"

namespace exportdeck::options {

namespace {

[[noreturn]] void refuse(std::string_view field, std::string_view reason) {
  throw ExportError(Code::ProfileInvalid, concat("The record of an export cannot be used: ", field, " ", reason),
                    {"give the file OUT.export.json that an export wrote", "export afresh"});
}

std::string textIn(const nlohmann::json& object, const char* field, std::string_view where = {}) {
  const auto found = object.find(field);
  if (found == object.end() || !found->is_string()) refuse(concat(where, field), "is missing or no text");
  return found->get<std::string>();
}

const nlohmann::json& objectIn(const nlohmann::json& parent, const char* field) {
  const auto found = parent.find(field);
  if (found == parent.end() || !found->is_object()) refuse(field, "is missing or no object");
  return *found;
}

ExportWish wishFrom(const nlohmann::json& json) {
  const nlohmann::json& request = objectIn(json, "request");
  ExportWish wish;
  wish.source = textIn(request, "source", "request.");
  wish.output = textIn(request, "output", "request.");
  wish.verify = textIn(request, "verify", "request.");
  // Records before version 0.2 know one method.
  if (request.contains("method")) wish.method = textIn(request, "method", "request.");
  if (const auto methods = request.find("further_methods"); methods != request.end()) {
    if (!methods->is_array()) refuse("request.further_methods", "is no list");
    for (const nlohmann::json& method : *methods) {
      if (!method.is_object()) refuse("request.further_methods", "holds what is no object");
      wish.furtherMethods.emplace_back(textIn(method, "name", "request.further_methods."),
                                       textIn(method, "source", "request.further_methods."));
    }
  }
  const auto kept = request.find("keep_rejected");
  if (kept == request.end() || !kept->is_boolean()) refuse("request.keep_rejected", "is missing or no bool");
  wish.keepRejected = kept->get<bool>();
  return wish;
}

// Backend and options stand as in a profile, and are judged as there. The name is only told: it may be none.
Profile profileFrom(const nlohmann::json& json, const Catalogue& catalogue) {
  const auto name = json.find("profile");
  nlohmann::json inside = {{"exportdeck_profile", Profile::kVersion},
                           {"name", "recorded"},
                           {"backend", textIn(json, "backend")},
                           {"export_options", objectIn(json, "options")}};
  if (json.contains("runtime_options")) inside["runtime_options"] = json["runtime_options"];
  ProfileResult result = readProfile(inside.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), catalogue);
  if (!result.problems.empty()) refuse(concat(result.problems.front().key, ":"), result.problems.front().reason);
  result.profile.name = name != json.end() && name->is_string() ? name->get<std::string>() : std::string();
  return std::move(result.profile);
}

bool isExport(const nlohmann::json& json) {
  if (!json.is_object() || !json.contains("exportdeck")) return false;
  const auto command = json.find("command");
  return command != json.end() && *command == "export";
}

}  // namespace

nlohmann::json toJson(const ExportWish& wish) {
  nlohmann::json methods = nlohmann::json::array();
  for (const auto& [name, source] : wish.furtherMethods) methods.push_back({{"name", name}, {"source", source}});
  return {{"source", wish.source}, {"output", wish.output},
          {"method", wish.method}, {"further_methods", std::move(methods)},
          {"verify", wish.verify}, {"keep_rejected", wish.keepRejected}};
}

bool isExportRecord(std::string_view text) {
  return isExport(nlohmann::json::parse(text, nullptr, false));
}

ExportRecord readExportRecord(std::string_view text, const Catalogue& catalogue) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!isExport(json)) refuse("the file", "is no record of an export");
  ExportRecord record;
  record.version = textIn(json, "exportdeck");
  record.wish = wishFrom(json);
  record.profile = profileFrom(json, catalogue);
  record.sourceHash = textIn(objectIn(json, "source"), "hash", "source.");
  record.outputHash = textIn(objectIn(json, "output"), "hash", "output.");
  if (record.wish.furtherMethods.empty()) return record;
  const auto methods = json.find("methods");
  const size_t count = record.wish.furtherMethods.size();
  if (methods == json.end() || !methods->is_array() || methods->size() != count + 1)
    refuse("methods", "does not list the methods that were asked for");
  for (size_t i = 1; i <= count; ++i) {
    if (!(*methods)[i].is_object()) refuse("methods", "holds what is no object");
    record.furtherHashes.push_back(textIn(objectIn((*methods)[i], "source"), "hash", "methods.source."));
  }
  return record;
}

nlohmann::json runtimeOptionsToJson(const Profile& profile, const nlohmann::json& values) {
  const BackendEntry* entry = Catalogue::builtIn().find(profile.backend);
  const bool named = entry != nullptr && !entry->runtimeId.empty();
  return {{named ? entry->runtimeId : profile.backend, values}};
}

}  // namespace exportdeck::options
