// Lines that somebody types at a terminal, with history and completion: libedit behind a wall.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/shell/completion.h"

namespace residue::cli {

// One at a time. The terminal is as it was between two lines.
class LineEditor {
 public:
  // `complete` gets the line up to the cursor. Throws Error{io} where the terminal cannot be used.
  explicit LineEditor(std::function<Completion(std::string_view line)> complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class Read { kLine, kEnd, kInterrupted };

  // Standard input's next line, without its end, typed behind `prompt` on standard error. kEnd: Ctrl-D on an empty
  // line, or the terminal is gone. kInterrupted: interrupted(), and what was typed is forgotten.
  Read read(const std::string& prompt, std::string& line);

  // The arrow keys find `entry` from here on.
  void remember(const std::string& entry);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace residue::cli
