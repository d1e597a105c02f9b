// The actions of `exportdeck profile`. Each has one file: profile_NAME.cpp.
#pragma once

#include "cli/verb.h"

namespace exportdeck::cli {

std::unique_ptr<Verb> makeProfileList();
std::unique_ptr<Verb> makeProfileShow();
std::unique_ptr<Verb> makeProfileCheck();
std::unique_ptr<Verb> makeProfileNew();
std::unique_ptr<Verb> makeProfileDiff();
std::unique_ptr<Verb> makeProfileExport();
std::unique_ptr<Verb> makeProfileImport();

}  // namespace exportdeck::cli
