# The house (ARCHITECTURE.md): a floor is a folder, a static library and a namespace; a room is a folder in it, or the
# floor's own. tests/base/layers_test.cc reads the includes against the same picture.

# What nearly every source includes, compiled once for all floors. With RESIDUE_NO_PCH (clang-tidy, other compilers) every
# source reads its own includes: a style test demands that they are complete.
set(residue_common <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
    <string_view> <unordered_map> <utility> <vector> <fmt/format.h>)

# residue_floor(NAME [FAST] USES floors... LIBS packages...): the library, whose rooms add their sources. The loops of a
# FAST floor are worth compiling for longer.
function(residue_floor name)
  cmake_parse_arguments(ARG "FAST" "" "USES;LIBS" ${ARGN})
  add_library(residue_${name} STATIC)
  target_link_libraries(residue_${name} PUBLIC residue_settings fmt::fmt Threads::Threads)
  if(ARG_FAST)
    target_compile_options(residue_${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  endif()
  foreach(floor IN LISTS ARG_USES)
    target_link_libraries(residue_${name} PUBLIC residue_${floor})
  endforeach()
  foreach(lib IN LISTS ARG_LIBS)
    residue_library_name(resolved ${lib})
    target_link_libraries(residue_${name} PUBLIC ${resolved})
  endforeach()
  if(NOT RESIDUE_NO_PCH)
    if(name STREQUAL base)
      target_precompile_headers(residue_base PRIVATE ${residue_common})
    else()
      target_precompile_headers(residue_${name} REUSE_FROM residue_base)
    endif()
  endif()
  # Sources without a group are compiled by themselves.
  set_target_properties(residue_${name} PROPERTIES UNITY_BUILD ${RESIDUE_UNITY} UNITY_BUILD_MODE GROUP)
  set(residue_floor ${name} PARENT_SCOPE)
endfunction()

# residue_room(sources... [ALONE sources...] [EMBEDS files...]): the sources of this folder. ALONE define a name that
# one of the others defines, too. With RESIDUE_UNITY the others are compiled together, ten at a time: most of their time
# goes into headers that they share. It suits a cold build, not the inner loop. EMBEDS become data of the program, by the name of the
# file (base/embedded.h).
function(residue_room)
  cmake_parse_arguments(ARG "" "" "ALONE;EMBEDS" ${ARGN})
  target_sources(residue_${residue_floor} PRIVATE ${ARG_UNPARSED_ARGUMENTS} ${ARG_ALONE})
  if(RESIDUE_UNITY)
    file(RELATIVE_PATH room ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE "/" "_" room "${room}")
    set(count 0)
    foreach(source IN LISTS ARG_UNPARSED_ARGUMENTS)
      math(EXPR part "${count} / 10")
      math(EXPR count "${count} + 1")
      set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/${source} DIRECTORY ${CMAKE_SOURCE_DIR}/${residue_floor}
        PROPERTIES UNITY_GROUP ${room}_${part})
    endforeach()
  endif()
  foreach(file IN LISTS ARG_EMBEDS)
    get_filename_component(symbol ${file} NAME_WE)
    get_filename_component(path ${file} ABSOLUTE)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/embed.S.in ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S @ONLY)
    target_sources(residue_${residue_floor} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S
      TARGET_DIRECTORY residue_${residue_floor} PROPERTIES OBJECT_DEPENDS ${path})
  endforeach()
endfunction()
