// What Tab completes in the SQL shell. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace residue::cli {

struct ShellNames {
  std::map<std::string, std::vector<std::string>> views;  // and their columns
  std::vector<std::string> functions;                     // without the bracket
  std::vector<std::string> tables;                        // that are called: bm25 ...
  std::vector<std::string> values;                        // for texts: runs, metrics, protocols ...
  std::vector<std::string> commands;                      // .mode ...
  std::vector<std::string> modes;                         // of .mode
};

struct Completion {
  std::size_t begin = 0;           // the byte of the text where the word begins that is completed
  std::vector<std::string> words;  // that could stand there, sorted, each once
};

// For the end of `text`: a statement as far as it is typed. In a text '...' that is a value; behind FROM and JOIN a
// view or table; else a column of the views that the statement names (of all where it names none), a function, a view,
// a word of SQL. Upper and lower case are alike. Names that would drive a terminal are left out.
Completion complete(const ShellNames& names, std::string_view text);

// What all of them begin with, upper and lower case alike; as the first one has it.
std::string common_beginning(const std::vector<std::string>& words);

}  // namespace residue::cli
