// The flags that every command takes, before or after its name.
#pragma once

#include <optional>
#include <string>

namespace residue::cli {

enum class Format { kTable, kJson, kJsonl, kCsv, kTsv, kMarkdown, kLatex };
enum class Color { kAuto, kAlways, kNever };

struct Globals {
  std::optional<std::string> store;   // --store, else RESIDUE_STORE; nothing: the nearest parent that has one
  Format format = Format::kTable;     // --format, --json, --csv
  bool format_given = false;          // a format was named: for verbs whose own default is no table
  bool spreadsheet = false;           // --csv=spreadsheet: no cell that a spreadsheet would run as a formula
  char separator = ',';               // --separator: of csv
  bool bom = false;                   // --bom: csv begins with a byte order mark
  std::optional<std::string> output;  // -o FILE; nothing or "-": standard output
  Color color = Color::kAuto;         // already decided against NO_COLOR and TERM=dumb only where kAuto
  bool quiet = false;                 // -q: errors only
  int verbose = 0;                    // -v, -vv
  bool wide = false;                  // --wide: never cut a cell
  bool no_progress = false;           // --no-progress
  bool yes = false;                   // --yes: no question
  bool paged = false;                 // a long result may go through a pager: not --no-pager, and a command that reads
  unsigned jobs = 0;                  // --jobs N; 0: one per core
};

// Threads to use: --jobs, else the cores this process may run on; at least 1.
unsigned threads(const Globals& globals);

}  // namespace residue::cli
