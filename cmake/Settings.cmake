# Settings and warnings as interface targets: every target of ours links residue_settings.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Without this sloppiness ccache gives up on everything that uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()

# A module of Python is a shared library, and its names are its own: Python loads others beside it.
if(RESIDUE_PYTHON)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
endif()

add_library(residue_settings INTERFACE)
target_compile_features(residue_settings INTERFACE cxx_std_20)
target_include_directories(residue_settings INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(residue_settings INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Wunused
  -Woverloaded-virtual -Wconversion -Wno-sign-conversion -fno-strict-aliasing
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess -Wno-restrict -Wno-dangling-pointer -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-maybe-uninitialized>
  # Results must not depend on fused multiply-add being chosen by a compiler.
  -ffp-contract=off)

# Sources that are compiled together are included, and what they keep to themselves looks like a header's.
if(RESIDUE_UNITY)
  target_compile_options(residue_settings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()

# The test programs are large, and gold links them in a tenth of the time.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold RESIDUE_GOLD)
if(RESIDUE_GOLD AND NOT RESIDUE_SANITIZE)
  target_link_options(residue_settings INTERFACE -fuse-ld=gold)
endif()

set(RESIDUE_SANITIZE "" CACHE STRING "Sanitizers: address,undefined or thread")
if(RESIDUE_SANITIZE)
  target_compile_options(residue_settings INTERFACE -fsanitize=${RESIDUE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(residue_settings INTERFACE -fsanitize=${RESIDUE_SANITIZE})
  if(RESIDUE_SANITIZE MATCHES address)
    target_compile_definitions(residue_settings INTERFACE _GLIBCXX_ASSERTIONS)
  endif()
endif()
