# Where the libraries come from: Debian's packages, and the ExecuTorch C++ SDK inside the executorch wheel.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg Test)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(minizip REQUIRED IMPORTED_TARGET minizip)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
find_package(executorch 1.5 CONFIG REQUIRED)

# Not the flatc of the wheel: its output needs newer headers than Debian's.
find_program(EXPORTDECK_FLATC flatc PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
find_path(EXPORTDECK_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h PATHS /usr/include NO_DEFAULT_PATH REQUIRED)
find_path(EXPORTDECK_SDK_ROOT schema/program.fbs
  PATHS "${executorch_DIR}/../../.." "${executorch_DIR}/../.." NO_DEFAULT_PATH REQUIRED)

# exportdeck_flatbuffers(TARGET schema...) makes an interface library whose include folder holds SCHEMA_generated.h.
function(exportdeck_flatbuffers target)
  set(out "${PROJECT_BINARY_DIR}/generated/${target}")
  set(headers)
  foreach(schema IN LISTS ARGN)
    get_filename_component(stem "${schema}" NAME_WE)
    get_filename_component(folder "${schema}" DIRECTORY)
    add_custom_command(OUTPUT "${out}/${stem}_generated.h"
      COMMAND "${EXPORTDECK_FLATC}" --cpp --gen-mutable -I "${folder}" -o "${out}" "${schema}"
      DEPENDS "${schema}" VERBATIM)
    list(APPEND headers "${out}/${stem}_generated.h")
  endforeach()
  add_custom_target(${target}_headers DEPENDS ${headers})
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_headers)
  target_include_directories(${target} SYSTEM INTERFACE "${out}" "${EXPORTDECK_FLATBUFFERS_INCLUDE}")
endfunction()
