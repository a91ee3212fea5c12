// A WordNet of a few synsets, in the files' own format: what tests know by heart.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/support/wordnet.h"

namespace residue::text::testing {

struct MiniPointer {
  std::string symbol, target;  // the target's name
  int source = 0;              // which word it belongs to, from 1; 0: all
};

struct MiniSynset {
  std::string name;
  char part = 'n';                 // n v a r
  std::vector<std::string> words;  // as data.* writes them
  std::vector<MiniPointer> pointers = {};
};

// The first synset of a word is its most frequent meaning.
inline WordNetFiles mini_files(const std::vector<MiniSynset>& synsets) {
  const std::string_view letters = "nvar";
  WordNetFiles files;
  std::map<std::string, std::pair<std::size_t, char>> places;
  std::string previous;
  // Offsets are of fixed width, so a second writing has those of the first.
  for (int pass = 0; pass < 2; ++pass) {
    files.data.fill("  1 a licence\n");
    for (const auto& synset : synsets) {
      auto& data = files.data[letters.find(synset.part)];
      places[synset.name] = {data.size(), synset.part};
      data += fmt::format("{:08} 03 {} {:02x}", data.size(), synset.part, synset.words.size());
      for (const auto& word : synset.words) data += fmt::format(" {} 0", word);
      data += fmt::format(" {:03}", synset.pointers.size());
      for (const auto& pointer : synset.pointers) {
        const auto& [offset, part] = places[pointer.target];
        data += fmt::format(" {} {:08} {} {:02x}00", pointer.symbol, offset, part == 0 ? 'n' : part, pointer.source);
      }
      data += " | what it means\n";
    }
  }
  for (std::size_t i = 0; i < kWordClasses; ++i) {
    std::map<std::string, std::vector<std::size_t>> lemmas;
    for (const auto& synset : synsets) {
      if (letters.find(synset.part) != i) continue;
      for (auto word : synset.words) {
        word = word.substr(0, word.find('('));
        for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
        lemmas[word].push_back(places[synset.name].first);
      }
    }
    files.index[i] = "  1 a licence\n";
    for (const auto& [word, offsets] : lemmas) {
      files.index[i] += fmt::format("{} {} {} 2 ! @ {} 0", word, letters[i], offsets.size(), offsets.size());
      for (const auto offset : offsets) files.index[i] += fmt::format(" {:08}", offset);
      files.index[i] += "  \n";
    }
    if (lemmas.empty()) files.index[i] += fmt::format("nothing {} 0 0 0 0\n", letters[i]);
    files.exceptions[i] = "nothings nothing\n";
  }
  files.exceptions[0] = "mice mouse\n";
  return files;
}

inline WordNetFiles mini_files() {
  return mini_files({
      {"animal", 'n', {"animal"}},
      {"canine", 'n', {"canine"}, {{"@", "animal"}, {"~", "dog"}}},
      {"dog", 'n', {"dog", "domestic_dog"}, {{"@", "canine"}}},
      {"mouse", 'n', {"mouse"}, {{"@", "animal"}}},
      {"rex", 'n', {"Rex"}, {{"@i", "dog"}}},
      {"car", 'n', {"car", "automobile"}},
      {"attack", 'n', {"attack"}},
      {"infarct", 'n', {"heart_attack", "infarction"}},
      {"liver", 'n', {"liver"}},
      {"bake", 'v', {"bake"}},
      {"baker", 'n', {"baker"}, {{"+", "bake", 1}}},
      {"guilty", 'a', {"guilty", "shamed"}, {{"!", "innocent", 1}}},
      {"innocent", 'a', {"innocent(p)"}, {{"!", "guilty", 1}}},
      {"huge", 'a', {"huge"}, {{"&", "vast"}}},
      {"vast", 'a', {"vast"}, {{"&", "huge"}}},
      {"hepatic", 'a', {"hepatic"}, {{"\\", "liver", 1}}},
  });
}

}  // namespace residue::text::testing
