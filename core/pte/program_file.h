// The outer form of a .pte: the extended header, the FlatBuffer's bytes, and where the segments lie.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/bytes.h"

namespace exportdeck::pte {

// Every error of reading a program: "PATH is no ExecuTorch program that can be read: WHAT." (ProgramInvalid).
[[noreturn]] void refuseProgram(const std::string& path, const std::string& what);

struct ProgramFile {
  std::shared_ptr<const InputFile> file;
  Bytes program;  // the FlatBuffer, the extended header inside it
  bool hasHeader = false;
  uint64_t segmentBase = 0;   // 0: no segments
  uint64_t segmentBytes = 0;  // from there; all inside the file

  const std::string& path() const { return file->path(); }
};

// Reads the header and the FlatBuffer. Throws FileNotFound, FileUnreadable, and ProgramInvalid where the file is too
// short, is something else, or the header contradicts the file. The FlatBuffer itself is not looked at. Format: formats
// of ExecuTorch 1.5.1, runtime/executor/program.cpp and schema/extended_header.h.
ProgramFile openProgram(const std::string& path);

}  // namespace exportdeck::pte
