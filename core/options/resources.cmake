# Builds the JSON files of resources/ into exportdeck_options, so that no path is needed at run time.
file(GLOB EXPORTDECK_RESOURCES CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/resources/backends/*.json" "${PROJECT_SOURCE_DIR}/resources/profiles/*.json")
list(SORT EXPORTDECK_RESOURCES)
set(EXPORTDECK_RESOURCES_CPP "${PROJECT_BINARY_DIR}/generated/options/resources.cpp")
add_custom_command(OUTPUT "${EXPORTDECK_RESOURCES_CPP}"
  COMMAND "${CMAKE_COMMAND}" "-DFILES=${EXPORTDECK_RESOURCES}" "-DROOT=${PROJECT_SOURCE_DIR}/resources"
          "-DOUT=${EXPORTDECK_RESOURCES_CPP}" -P "${CMAKE_CURRENT_LIST_DIR}/embed.cmake"
  DEPENDS ${EXPORTDECK_RESOURCES} "${CMAKE_CURRENT_LIST_DIR}/embed.cmake" VERBATIM)
target_sources(exportdeck_options PRIVATE "${EXPORTDECK_RESOURCES_CPP}")
