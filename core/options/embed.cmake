# Script: writes OUT, a C++ file with the text of each of FILES, named relative to ROOT.
set(code "#include \"options/resources.h\"\n\nnamespace exportdeck::options {\nnamespace {\n\nconstexpr Resource kResources[] = {\n")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  file(RELATIVE_PATH name "${ROOT}" "${file}")
  string(APPEND code "    {\"${name}\", R\"exportdeck(${text})exportdeck\"},\n")
endforeach()
string(APPEND code "};\n\n}  // namespace\n\nstd::span<const Resource> builtInResources() { return kResources; }\n\n}  // namespace exportdeck::options\n")
file(WRITE "${OUT}" "${code}")
