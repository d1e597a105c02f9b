# Puts the data files into the library, so that no file is looked for at run time.
set(folder "${CMAKE_CURRENT_LIST_DIR}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${folder}/schemas.txt" "${folder}/kernels.txt" "${folder}/kernel_types.txt")
file(READ "${folder}/schemas.txt" EXPORTDECK_SCHEMAS)
file(READ "${folder}/kernels.txt" EXPORTDECK_KERNELS)
file(READ "${folder}/kernel_types.txt" EXPORTDECK_KERNEL_TYPES)
configure_file("${folder}/tables.cpp.in" "${PROJECT_BINARY_DIR}/generated/ops/tables.cpp" @ONLY)
target_sources(exportdeck_ops PRIVATE "${PROJECT_BINARY_DIR}/generated/ops/tables.cpp")
