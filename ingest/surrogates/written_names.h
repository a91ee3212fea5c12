// How names are written, as far as surrogates keep it: letters of either case, words that say what a thing is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace residue::ingest {

constexpr bool small(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool word_byte(char c) { return small(c) || capital(c) || static_cast<unsigned char>(c) >= 0x80; }

// `made` in the letters of `like`: all capitals where that is.
std::string in_case(std::string made, std::string_view like);

// A word that stays, because it says what a thing is and not which one: "Street", "Hospital", "Mr".
bool generic(std::string_view word);

// A word without a capital.
bool begins_small(std::string_view word);

// A word in small letters that stays: it stands in names ("van", "of") and names nobody. Others are somebody's name,
// written without its capital ("Müller-smith", "cengiz polat").
bool stays_small(std::string_view word);

// What ways to write a name have in common: "NUÑEZ" is "Nunez".
std::string known_as(std::string_view words);

// `original` with each word as make(word, whether a full stop follows) has it, and all between as it is.
template <class Make>
std::string each_word(std::string_view original, const Make& make) {
  std::string made;
  for (std::size_t i = 0; i < original.size();) {
    std::size_t end = i;
    while (end < original.size() && word_byte(original[end])) ++end;
    if (end == i) {
      made += original[i++];
      continue;
    }
    made += make(original.substr(i, end - i), end < original.size() && original[end] == '.');
    i = end;
  }
  return made;
}

}  // namespace residue::ingest
