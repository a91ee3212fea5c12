// Files embedded into the program (SQL, documents): see residue_room in cmake/Rooms.cmake.
#pragma once

#include <string_view>

// Declares `std::string_view NAME()` for a file embedded with .incbin under the symbol residue_embedded_NAME.
#define RESIDUE_EMBEDDED(name)                             \
  extern "C" const char residue_embedded_##name##_begin[]; \
  extern "C" const char residue_embedded_##name##_end[];   \
  inline std::string_view embedded_##name() { return {residue_embedded_##name##_begin, residue_embedded_##name##_end}; }
