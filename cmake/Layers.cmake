# The prelude: what every source of a layer may use without including it. Precompiled; with RESIDUE_NO_PCH (clang-tidy,
# other compilers than the precompiled header's) included by force, so that both builds see the same.
set(residue_prelude algorithm array cstdint filesystem functional map memory optional span string string_view
    unordered_map utility vector fmt/format.h)

# residue_layer(NAME USES layers... LIBS packages... HEAVY headers...): src/NAME/*.cc as a static library. Sources include
# the heavy headers themselves; they are precompiled because most sources of the layer do.
# src/NAME/*.S embeds the layer's SQL and documents with .incbin (base/embedded.h).
function(residue_layer name)
  cmake_parse_arguments(ARG "" "" "USES;LIBS;HEAVY" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc ${CMAKE_SOURCE_DIR}/src/${name}/*.S)
  if(NOT sources)
    add_library(residue_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(residue_${name} STATIC ${sources})
    set(scope PUBLIC)
    file(GLOB assembly ${CMAKE_SOURCE_DIR}/src/${name}/*.S)
    file(GLOB embedded CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.sql ${CMAKE_SOURCE_DIR}/src/${name}/*.txt
         ${CMAKE_SOURCE_DIR}/src/${name}/*.json)
    if(assembly)
      set_source_files_properties(${assembly} PROPERTIES
        INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}/src/${name} OBJECT_DEPENDS "${embedded}" COMPILE_OPTIONS "-I${CMAKE_SOURCE_DIR}/src/${name}")
    endif()
    if(RESIDUE_NO_PCH)
      foreach(header IN LISTS residue_prelude)
        target_compile_options(residue_${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${header}>")
      endforeach()
    else()
      set(precompiled ${residue_prelude} ${ARG_HEAVY})
      list(TRANSFORM precompiled REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
      target_precompile_headers(residue_${name} PRIVATE ${headers})
    endif()
  endif()
  target_link_libraries(residue_${name} ${scope} residue_settings fmt::fmt Threads::Threads)
  foreach(layer IN LISTS ARG_USES)
    target_link_libraries(residue_${name} ${scope} residue_${layer})
  endforeach()
  foreach(lib IN LISTS ARG_LIBS)
    residue_library_name(resolved ${lib})
    target_link_libraries(residue_${name} ${scope} ${resolved})
  endforeach()
endfunction()
