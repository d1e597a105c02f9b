# How every target of the project is compiled, and the functions that make one from a folder.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
# The SDK's shared libraries carry FlatBuffers code of another version: our symbols must not take their place.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_program(EXPORTDECK_CCACHE ccache)
if(EXPORTDECK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${EXPORTDECK_CCACHE}")
endif()

add_library(exportdeck_flags INTERFACE)
target_compile_options(exportdeck_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(EXPORTDECK_WERROR)
  target_compile_options(exportdeck_flags INTERFACE -Werror)
endif()
if(EXPORTDECK_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(EXPORTDECK_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# exportdeck_layer(NAME LINKS target...) makes the static library exportdeck_NAME from core/NAME.
# What a layer may use is what it links: an include of a folder that is not linked does not compile into a program.
function(exportdeck_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;PRIVATE_LINKS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.h")
  # A layer whose sources are still to come keeps the others configurable.
  file(GLOB_RECURSE compiled CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  if(NOT compiled)
    file(WRITE "${PROJECT_BINARY_DIR}/generated/no_sources.cpp" "")
    list(APPEND sources "${PROJECT_BINARY_DIR}/generated/no_sources.cpp")
  endif()
  add_library(exportdeck_${name} STATIC ${sources})
  target_include_directories(exportdeck_${name} PUBLIC "${PROJECT_SOURCE_DIR}/core")
  target_link_libraries(exportdeck_${name} PUBLIC ${arg_LINKS} PRIVATE exportdeck_flags ${arg_PRIVATE_LINKS})
endfunction()

# exportdeck_tests(FOLDER LINKS target... [LABELS label...] [PROGRAMS]) makes one test program from every tst_*.cpp in
# FOLDER, named after the file. PROGRAMS: the tests start the project's own programs, so those are built first.
function(exportdeck_tests folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROGRAMS" "" "LINKS;LABELS")
  set(environment
    # Without a screen of a usual size, newer Qt shrinks a restored window to the 800 x 800 that it makes up.
    "QT_QPA_PLATFORM=offscreen:configfile=${PROJECT_SOURCE_DIR}/tests/support/screen.json"
    "EXPORTDECK_BIN=${PROJECT_BINARY_DIR}/bin"
    "EXPORTDECK_SCREENSHOTS=${PROJECT_BINARY_DIR}/screenshots"
    "ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:detect_stack_use_after_return=1"
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks.supp:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/screenshots")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/tst_*.cpp")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    add_executable(${name} "${source}")
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    target_link_libraries(${name} PRIVATE exportdeck_test_support ${arg_LINKS} Qt6::Test exportdeck_flags)
    # Qt 6.8's QTRY macros convert a long to an int in our files.
    target_compile_options(${name} PRIVATE -Wno-error=conversion)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}" LABELS "${arg_LABELS}" TIMEOUT 600)
    if(arg_PROGRAMS)
      add_dependencies(${name} exportdeck_programs)
    endif()
  endforeach()
endfunction()
