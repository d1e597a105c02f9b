#include "pt2/json.h"

#include <limits>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::pt2::json {

namespace {

// simdjson's own limit is 4 GiB; programs of 20,000 nodes take about 40 MB.
constexpr uint64_t kTextLimit = uint64_t{2} << 30;

template <typename Result>
Result get(Element element, std::string_view what, std::string_view expected) {
  Result result;
  if (element.get(result) != simdjson::SUCCESS) malformed(what, expected);
  return result;
}

// Python writes non-finite numbers as bare words, which are no JSON; from torch 2.7 the program has them as texts.
// Returns false where there are none.
bool quoteNonFinite(std::string& text) {
  std::string quoted;
  size_t done = 0;
  bool inText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') inText = !inText;
    if (inText) {
      if (text[i] == '\\') ++i;
      continue;
    }
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
      if (text.compare(i, word.size(), word) != 0) continue;
      quoted.append(text, done, i - done).append(1, '"').append(word).append(1, '"');
      i += word.size() - 1;
      done = i + 1;
      break;
    }
  }
  if (done == 0) return false;
  text = quoted.append(text, done);
  return true;
}

}  // namespace

Document::Document(const Archive& archive, std::string_view entry) : text_(archive.text(entry, kTextLimit)) {
  Element element;
  const auto parse = [&] {
    text_.reserve(text_.size() + simdjson::SIMDJSON_PADDING);
    return parser_.parse(text_.data(), text_.size(), false).get(element);
  };
  auto error = parse();
  if (error != simdjson::SUCCESS && quoteNonFinite(text_)) error = parse();
  if (error != simdjson::SUCCESS) {
    throw ExportError(Code::ArchiveFormat,
                      concat(archive.path(), ": ", entry, " is not valid JSON (", simdjson::error_message(error), ")"),
                      {"export the model again with torch.export.save"});
  }
  if (element.get(root_) != simdjson::SUCCESS) {
    throw ExportError(Code::ArchiveFormat, concat(archive.path(), ": ", entry, " is not a JSON object"),
                      {"export the model again with torch.export.save"});
  }
}

void malformed(std::string_view what, std::string_view expected) {
  throw ExportError(Code::GraphInvalid, concat("the exported program is malformed: ", what, " ", expected),
                    {"export the model again with torch.export.save"});
}

Object object(Element element, std::string_view what) {
  return get<Object>(element, what, "is not an object");
}
Array array(Element element, std::string_view what) {
  return get<Array>(element, what, "is not a list");
}
std::string_view string(Element element, std::string_view what) {
  return get<std::string_view>(element, what, "is not a text");
}
int64_t integer(Element element, std::string_view what) {
  return get<int64_t>(element, what, "is not a 64-bit integer");
}
bool boolean(Element element, std::string_view what) {
  return get<bool>(element, what, "is not true or false");
}

double number(Element element, std::string_view what) {
  std::string_view text;
  if (element.get(text) != simdjson::SUCCESS) return get<double>(element, what, "is not a number");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "Infinity") return kInfinity;
  if (text == "-Infinity") return -kInfinity;
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  malformed(what, "is not a number");
}

std::optional<Element> find(Object object, std::string_view key) {
  Element element;
  if (object.at_key(key).get(element) != simdjson::SUCCESS || element.is_null()) return std::nullopt;
  return element;
}

Element at(Object object, std::string_view key) {
  const auto element = find(object, key);
  if (!element) malformed(key, "is missing");
  return *element;
}

Tagged tagged(Element element, std::string_view what) {
  const Object fields = object(element, what);
  if (fields.size() != 1) malformed(what, "is not an object with exactly one key");
  const auto field = *fields.begin();
  return {field.key, field.value};
}

std::string_view nameOf(Element element, std::string_view what) {
  return string(at(object(element, what), "name"), what);
}

}  // namespace exportdeck::pt2::json
