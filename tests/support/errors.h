// Catching an ExportError as a value, so that a test can look at it.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"

namespace exportdeck::tests {

// The diagnostic that `call` throws, or nothing where it throws none. Other exceptions pass.
template <typename Call>
std::optional<Diagnostic> errorOf(Call&& call) {
  try {
    static_cast<void>(call());
  } catch (const ExportError& error) {
    return error.diagnostic();
  }
  return std::nullopt;
}

// The stable id of the error ("archive.invalid"), or "none".
template <typename Call>
std::string errorCode(Call&& call) {
  const auto diagnostic = errorOf(call);
  return diagnostic ? codeInfo(diagnostic->code).id : "none";
}

}  // namespace exportdeck::tests
