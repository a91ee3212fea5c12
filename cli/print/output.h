// Where results go (standard output or -o FILE) and where messages go (standard error).
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/child.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/print/arrange.h"
#include "cli/print/globals.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "storage/disk/leftovers.h"

namespace residue::cli {

// One per command. Results are buffered; a reader that goes away (`| head`) is no error: see closed().
class Output {
 public:
  // Opens -o FILE as FILE's neighbour, so that a failed command leaves the old file alone. Throws Error{io}.
  explicit Output(const Globals& globals);
  ~Output();  // Without finish(): nothing more is written, the new file is removed.
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // A listing, in the chosen format, arranged as arrange() said.
  void table(const Table& table);

  // From here on tables have these columns and this order of rows.
  void arrange(Arrangement how) { arrangement_ = std::move(how); }
  [[nodiscard]] const Arrangement& arrangement() const { return arrangement_; }

  // A single thing, a table of one row: json is one object, the table form has a line per field.
  void fields(const Table& table);

  // A result with a shape of its own. Verbs ask wants_json() first; jsonl writes an array's elements one a line.
  void json(const Json& value);
  [[nodiscard]] bool wants_json() const;

  // A result that readers get in different shapes: --format json `whole`, jsonl an element of `rows` a line, all others
  // what `print` prints. Only what is asked for is made. Then flush().
  void shaped(const std::function<Json()>& whole, const std::function<Json()>& rows,
              const std::function<void()>& print);

  // For results that are no table: Error{usage} where csv, tsv, md or latex is asked for. `instead`: what to do.
  void refuse_tables(std::string_view command, const std::string& instead) const;

  // Bytes as they are; on a terminal as for_terminal() has them.
  void write(std::string_view bytes);

  // JSON that is there already.
  void write_json(std::string_view bytes);

  // Writes out what is buffered, where a pager may be wanted as soon as it is longer than the terminal; waits for
  // whoever reads. Throws Error{io}, Error{try again} when the disk is full,
  // Error{interrupted}, and Error{usage} once it is later than take_until() said.
  void flush();
  void take_until(std::chrono::steady_clock::time_point until) { until_ = until; }

  // What is held back for a pager is shown, and the next page begins: for a shell, behind each answer.
  void end_page();

  // flush, then waits for the reader of a pager, and -o FILE gets its name. The run function need not call it.
  void finish();

  // The reader went away; a verb with a long output may stop.
  [[nodiscard]] bool closed() const { return closed_; }

  // Throws Error{interrupted} if it did: what until_closed() takes for an end.
  void require_reader() const;

  // To standard error as message_lines() has it; silent with -q. Progress makes room for it.
  void note(std::string_view line) const;
  // The same with -q too: why the command fails.
  void insist(std::string_view line) const;

  // note("next: ..."): the command to go on with.
  template <class... Args>
  void next(fmt::format_string<Args...> command, Args&&... args) const {
    note("next: " + fmt::format(command, std::forward<Args>(args)...));
  }

  // As note, only with -v.
  void detail(std::string_view line) const;

  // How tables are laid out here: terminal width unless piped or --wide, colour as decided.
  [[nodiscard]] Look look() const;

  [[nodiscard]] bool to_terminal() const { return terminal_; }

 private:
  class Paging;

  void begin_page();
  void put(std::string_view bytes, Spelling spelling);
  void print(const Table& table);
  void wait_for_room(int fd) const;
  void write_out(int fd);
  void show_held();

  const Globals& globals_;
  int fd_ = 1;
  bool terminal_ = false;
  bool regular_ = false;  // a file: it takes any amount at once
  bool closed_ = false;
  bool begun_ = false;  // something was put
  std::string buffer_;
  Arrangement arrangement_;
  std::unique_ptr<Paging> paging_;  // where a long result goes through a pager
  std::optional<std::chrono::steady_clock::time_point> until_;
  std::filesystem::path file_;                 // -o: the name it will have, empty for standard output
  std::filesystem::path temporary_;            // -o: the name it has until finish(), empty where it is written in place
  std::optional<storage::Leftover> leftover_;  // the same
};

// Does `work`, and ends well where the reader of `out` went away: `| head` has what it wanted.
template <class Work>
int until_closed(const Output& out, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() == Code::kInterrupted && out.closed()) return 0;
    throw;
  }
}

// Colour for a stream: --color, then NO_COLOR (not empty), TERM=dumb, and whether it is a terminal.
bool wants_color(const Globals& globals, int fd);

// Width of the terminal at `fd`: the kernel's answer, else COLUMNS, else 100.
std::size_t terminal_width(int fd);

}  // namespace residue::cli
