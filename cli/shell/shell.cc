#include "cli/shell/shell.h"

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "cli/print/wrap.h"
#include "cli/shell/completion.h"
#include "cli/shell/dot_commands.h"
#include "cli/shell/history.h"
#include "cli/shell/line_editor.h"
#include "cli/shell/statements.h"
#include "query/metric/metrics.h"
#include "query/sql/advice/contract.h"
#include "query/sql/functions/text_functions.h"
#include "query/sql/sql_functions.h"

namespace residue::cli {
namespace {

constexpr int kNamesMs = 2000;  // for each statement that reads names

// Errors are shown whatever -q says.
void show(const Error& error) {
  std::string text = message_lines(error.what(), STDERR_FILENO);
  if (!error.hint().empty()) text += message_lines("  " + error.hint(), STDERR_FILENO);
  [[maybe_unused]] const ssize_t wrote = ::write(STDERR_FILENO, text.data(), text.size());
}

// Rows of texts; what cannot be read in time is not completed.
void each_row(query::SqlOptions options, std::string_view sql,
              const std::function<void(const std::vector<query::SqlValue>&)>& row) {
  options.timeout_ms = kNamesMs;
  query::SqlSink sink;
  sink.row = [&](const std::vector<query::SqlValue>& values) { row(values); };
  try {
    query::run_statement(options, sql, sink);
  } catch (const Error& error) {
    if (error.code() == Code::kInterrupted) throw;
  }
}

ShellNames read_names(const query::SqlOptions& options) {
  ShellNames names;
  const auto text = [](const query::SqlValue& value) {
    const auto* found = std::get_if<std::string>(&value);
    return found == nullptr ? std::string() : *found;
  };
  for (const query::ViewPromise& view : query::view_promises()) {
    for (const query::ViewColumn& column : view.columns) names.views[std::string(view.name)].emplace_back(column.name);
  }
  each_row(options, "SELECT dataset, run FROM runs", [&](const auto& row) {
    names.values.push_back(text(row[0]));
    names.values.push_back(text(row[1]));
    names.values.push_back(text(row[0]) + "/" + text(row[1]));
  });
  each_row(options, "SELECT DISTINCT protocol FROM metrics WHERE protocol IS NOT NULL",
           [&](const auto& row) { names.values.push_back(text(row[0])); });
  for (const auto& metric : query::metric_definitions()) names.values.emplace_back(metric.name);
  names.functions = {"text"};
  for (const auto name : query::sql_functions()) names.functions.emplace_back(name);
  for (const auto& table : query::sql_table_functions()) names.tables.emplace_back(table.name);
  for (const auto& command : dot_command_list()) {
    names.commands.emplace_back(command.usage.substr(0, command.usage.find(' ')));
  }
  names.modes = mode_names();
  return names;
}

// The file of the history, and what to do where it cannot be used: the shell goes on without.
class Kept {
 public:
  Kept(bool wanted, LineEditor& editor) : editor_(editor) {
    if (wanted) file_ = history_file();
    guarded([&] {
      for (const std::string& entry : read_history(*file_)) editor_.remember(entry);
    });
  }

  void add(const std::string& entry) {
    editor_.remember(entry);
    guarded([&] { add_history(*file_, entry); });
  }

 private:
  template <class Work>
  void guarded(const Work& work) {
    if (!file_) return;
    try {
      work();
    } catch (const Error& error) {
      show(error);
      file_.reset();
    }
  }

  LineEditor& editor_;
  std::optional<std::filesystem::path> file_;
};

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t\n") + 1);
  return text;
}

class Conversation {
 public:
  Conversation(Context& context, const query::SqlOptions& options, bool history)
      : globals_(context.globals),
        own_(context.globals.output ? nullptr : std::make_unique<Output>(globals_)),
        context_{globals_, own_ ? *own_ : context.out},
        shell_{context_, globals_, options},
        editor_([this](std::string_view line) { return completed(line); }),
        kept_(history, editor_) {}

  // Until the end.
  void go_on() {
    std::string line;
    while (true) {
      const LineEditor::Read read = editor_.read(statement_.empty() ? "sql> " : "...> ", line);
      if (must_end()) throw Error(Code::kInterrupted, "stopped");
      if (read == LineEditor::Read::kEnd) break;
      if (read == LineEditor::Read::kInterrupted) {
        forget_interrupt();
        statement_.clear();
        new_line();
      } else if (!take(line)) {
        return;
      }
    }
    new_line();
  }

 private:
  static void new_line() { [[maybe_unused]] const ssize_t wrote = ::write(STDERR_FILENO, "\n", 1); }

  // False: the shell is to end.
  bool take(const std::string& line) {
    if (statement_.empty() && trimmed(line).empty()) return true;
    if (statement_.empty() && line.front() == '.') {
      kept_.add(trimmed(line));
      return answered([&] { return dot_command(shell_, line); });
    }
    statement_ += line + '\n';
    if (!query::is_complete(statement_)) return true;
    const std::string statement = std::exchange(statement_, {});
    kept_.add(trimmed(statement));
    return answered([&] {
      run_script(context_, shell_.options, statement);
      return true;
    });
  }

  template <class Work>
  bool answered(const Work& work) {
    bool goes_on = true;
    try {
      goes_on = work();
      context_.out.end_page();
    } catch (const Error& error) {
      if (must_end()) throw;
      const bool seen_enough = error.code() == Code::kInterrupted && context_.out.closed();
      forget_interrupt();
      context_.out.end_page();
      if (!seen_enough) show(error);
    }
    names_.reset();
    return goes_on;
  }

  Completion completed(std::string_view line) {
    if (!names_) names_ = read_names(shell_.options);
    Completion found = complete(*names_, statement_ + std::string(line));
    // The lines before are not there to be changed.
    if (found.begin < statement_.size()) return {};
    found.begin -= statement_.size();
    return found;
  }

  Globals globals_;              // .mode changes them
  std::unique_ptr<Output> own_;  // knows the mode; -o keeps its own
  Context context_;
  Shell shell_;
  LineEditor editor_;
  Kept kept_;
  std::optional<ShellNames> names_;  // read again when somebody asks for them behind a statement
  std::string statement_;            // as far as it is typed, in whole lines
};

}  // namespace

void converse(Context& context, const query::SqlOptions& options, bool history) {
  context.out.note("statements end with ;  .help says what there is, .questions what many ask; Ctrl-D ends");
  keep_interrupts();
  Conversation(context, options, history).go_on();
}

}  // namespace residue::cli
