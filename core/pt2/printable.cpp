#include "pt2/printable.h"

#include <simdjson.h>

#include <algorithm>

namespace exportdeck::pt2 {

bool isUtf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

std::string printable(std::string_view text) {
  std::string shown(text);
  const bool keepsOthers = isUtf8(text);
  std::replace_if(
      shown.begin(), shown.end(), [&](unsigned char c) { return c < 0x20 || c == 0x7f || (c >= 0x80 && !keepsOthers); },
      '?');
  return shown;
}

}  // namespace exportdeck::pt2
