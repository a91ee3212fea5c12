// Lists of names for `scrub`: those that come with the program, those of Debian packages, and a user's own files.
//
//   names of packages, files ──> lines of them ──> text::NameLists, and what was read with its SHA-256
//
// Packages are never looked for unless they are asked for: installing one changes no text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/identifiers/name_lists.h"

namespace residue::ingest {

// What `lists=` takes, for help.
extern const std::string_view kListsHelp;

struct GazetteerPlan {
  std::string lists = "own";  // comma list of packages, read beside the own lists; debian: all that are installed
  std::string names;          // files of one name a line, plain or compressed; empty: none
  std::string places;
  std::string organisations;
};

// A list that was read. Files of users go by their name without the folder.
struct NameSource {
  std::string name;
  std::string sha256;  // hexadecimal, of the bytes; of several files over their digests
};

struct Gazetteers {
  std::shared_ptr<const text::NameLists> names;
  std::vector<NameSource> sources;  // in the order of reading
};

// `share`: where packages keep their files. Throws Error{usage} for a list that nobody knows, Error{not found} for a
// package or file that is not there and for `debian` without any of them, Error{bad input} for a file that is not
// what it should be. Cost: the files are read each time, some 20 ms for iso-codes.
Gazetteers load_gazetteers(const GazetteerPlan& plan, const std::string& share = "/usr/share");

}  // namespace residue::ingest
