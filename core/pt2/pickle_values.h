// What the few calls of a pickle make: tensors, their storages and ordered dicts. Nothing here runs code of the pickle.
#pragma once

#include <string>

#include "pt2/pickle.h"

namespace exportdeck::pt2 {

// Values may be recalled any number of times, so names that are copied from them must be short.
inline constexpr size_t kPickleNameLimit = 256;  // bytes

[[noreturn]] void refusePickle(const std::string& what);  // std::runtime_error
[[noreturn]] void forbidPickle(const std::string& what);  // PickleForbidden

// Checked access; a wrong kind is refused.
const PickleSequence& tupleOf(const PickleValue& value);
const std::string& nameAt(const PickleSequence& arguments, size_t i);  // at most kPickleNameLimit bytes

// ("storage", class, key, location, count of elements)
PickleStorage storageOf(const PickleValue& identifier);
// What Python's `function(*arguments)` would give. Forbids all functions but those that rebuild plain tensors and
// parameters, and an empty ordered dict.
PickleValue calledValue(const std::string& function, const PickleSequence& arguments);

}  // namespace exportdeck::pt2
