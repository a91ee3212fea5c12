// What the program's command line calls a flag, in the words of another face.
#pragma once

#include <string>

namespace residue::query {

enum class Face {
  kPackage,    // of Python: level='claims'
  kExtension,  // for SQLite: residue_open('PATH', 'claims')
};

// An error's message or remedy, as residue sql has it, with the words of `face` for flags.
std::string in_words_of(Face face, std::string text);

}  // namespace residue::query
