#include "cli/shell/line_editor.h"

#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "cli/shell/history.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr int kPollMs = 100;
constexpr std::size_t kMostShown = 200;  // completions

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct EndEditor {
  void operator()(EditLine* editor) const { ::el_end(editor); }
};
struct EndHistory {
  void operator()(History* history) const { ::history_end(history); }
};

}  // namespace

struct LineEditor::State {
  std::function<Completion(std::string_view)> complete;
  std::unique_ptr<std::FILE, CloseFile> terminal;  // where standard error is none
  std::unique_ptr<History, EndHistory> history;
  std::unique_ptr<EditLine, EndEditor> editor;
  std::string prompt;
  bool ended = false, stopped = false;

  [[nodiscard]] std::FILE* screen() const { return terminal ? terminal.get() : stderr; }

  static State& of(EditLine* editor) {
    void* data = nullptr;
    ::el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<State*>(data);
  }

  // The next byte; -1 at the end or when something came up.
  int byte() {
    while (true) {
      if (interrupted()) {
        stopped = true;
        return -1;
      }
      pollfd input{STDIN_FILENO, POLLIN, 0};
      if (::poll(&input, 1, kPollMs) <= 0) continue;
      unsigned char byte = 0;
      const ssize_t got = ::read(STDIN_FILENO, &byte, 1);
      if (got == 1) return byte;
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      ended = true;
      return -1;
    }
  }

  // As libedit reads a character: 1, or -1.
  static int read_character(EditLine* editor, wchar_t* out) {
    State& state = of(editor);
    const int first = state.byte();
    if (first < 0) return -1;
    std::string bytes(1, static_cast<char>(first));
    const std::size_t size = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1;
    while (bytes.size() < size) {
      const int next = state.byte();
      if (next < 0) return -1;
      bytes += static_cast<char>(next);
    }
    *out = static_cast<wchar_t>(text::code_point_at(bytes, 0).value);
    return 1;
  }

  static char* prompt_of(EditLine* editor) { return of(editor).prompt.data(); }

  void list(const std::vector<std::string>& words) const {
    const std::size_t width = terminal_width(::fileno(screen()));
    std::size_t widest = 0;
    for (const std::string& word : words) widest = std::max(widest, text::display_width(word));
    const std::size_t columns = std::max<std::size_t>(1, width / (widest + 2));
    const std::size_t shown = std::min(words.size(), kMostShown);
    std::string lines = "\n";
    for (std::size_t i = 0; i < shown; ++i) {
      lines += words[i];
      const bool last = (i + 1) % columns == 0 || i + 1 == shown;
      lines += last ? "\n" : std::string(widest + 2 - text::display_width(words[i]), ' ');
    }
    if (shown < words.size()) lines += "...\n";
    std::fputs(lines.c_str(), screen());
    std::fflush(screen());
  }

  static unsigned char on_tab(EditLine* editor, int /*key*/) {
    const State& state = of(editor);
    const LineInfo* info = ::el_line(editor);
    const std::string line(info->buffer, static_cast<std::size_t>(info->cursor - info->buffer));
    Completion found;
    try {
      found = state.complete(line);
    } catch (const std::exception&) {  // a store that somebody else holds: nothing is completed
      return CC_ERROR;
    }
    if (found.words.empty()) return CC_ERROR;
    const std::string typed = line.substr(found.begin);
    const std::string common = common_beginning(found.words);
    if (common.size() > typed.size() || found.words.size() == 1) {
      ::el_deletestr(editor, static_cast<int>(text::code_points(typed)));
      if (::el_insertstr(editor, common.c_str()) != 0) return CC_ERROR;
      return CC_REFRESH;
    }
    state.list(found.words);
    return CC_REDISPLAY;
  }
};

LineEditor::LineEditor(std::function<Completion(std::string_view line)> complete) : state_(new State) {
  State& state = *state_;
  state.complete = std::move(complete);
  std::setlocale(LC_CTYPE, "C.UTF-8");  // libedit converts what is typed by it
  if (::isatty(STDERR_FILENO) != 1) state.terminal.reset(std::fopen("/dev/tty", "we"));
  state.history.reset(::history_init());
  state.editor.reset(::el_init("residue", stdin, state.screen(), stderr));
  if (!state.history || !state.editor) throw Error(Code::kIo, "the terminal cannot be used", "give the statement");
  EditLine* editor = state.editor.get();
  HistEvent event = {};
  ::history(state.history.get(), &event, H_SETSIZE, static_cast<int>(kMostEntries));
  ::history(state.history.get(), &event, H_SETUNIQUE, 1);
  ::el_set(editor, EL_CLIENTDATA, &state);
  ::el_set(editor, EL_EDITOR, "emacs");
  ::el_set(editor, EL_SIGNAL, 0);  // they are ours: interrupt.h
  ::el_set(editor, EL_PROMPT, &State::prompt_of);
  ::el_set(editor, EL_HIST, &::history, state.history.get());
  ::el_set(editor, EL_GETCFN, &State::read_character);
  ::el_set(editor, EL_ADDFN, "complete", "completes names", &State::on_tab);
  ::el_set(editor, EL_BIND, "^I", "complete", nullptr);
  ::el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
}

LineEditor::~LineEditor() = default;

LineEditor::Read LineEditor::read(const std::string& prompt, std::string& line) {
  State& state = *state_;
  state.prompt = prompt;
  state.ended = state.stopped = false;
  ::el_resize(state.editor.get());
  // Before the prompt is shown: the terminal itself would keep what is typed in answer, and swallow Ctrl-D.
  ::el_set(state.editor.get(), EL_PREP_TERM, 1);
  int size = 0;
  const char* typed = ::el_gets(state.editor.get(), &size);
  if (state.stopped) return Read::kInterrupted;
  if (typed == nullptr || size <= 0 || state.ended) return Read::kEnd;
  line.assign(typed, static_cast<std::size_t>(size));
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  return Read::kLine;
}

void LineEditor::remember(const std::string& entry) {
  HistEvent event = {};
  ::history(state_->history.get(), &event, H_ENTER, entry.c_str());
}

}  // namespace residue::cli
