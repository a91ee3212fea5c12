#include "query/sql/sql_program.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "query/sql/functions/vader_lexicon.h"
#include "query/sql/sql_child.h"
#include "text/measures/vader.h"

namespace residue::query {
namespace {

// Nothing of a statement is an argument or a variable of the environment: others could read those.
class Wish {
 public:
  explicit Wish(const std::string& text) : file_(::memfd_create("residue-sql", MFD_CLOEXEC)) {
    std::string_view rest = text;
    while (file_ >= 0 && !rest.empty()) {
      const ssize_t written = ::write(file_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    written_ = file_ >= 0 && rest.empty() && ::lseek(file_, 0, SEEK_SET) == 0;
  }
  ~Wish() {
    if (file_ >= 0) ::close(file_);
  }
  Wish(const Wish&) = delete;
  Wish& operator=(const Wish&) = delete;

  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] bool written() const { return written_; }

 private:
  int file_;
  bool written_ = false;
};

std::string read_all(int file) {
  std::string text;
  char chunk[1 << 16];
  while (true) {
    const ssize_t got = ::read(file, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(chunk, static_cast<std::size_t>(got));
  }
}

}  // namespace

std::optional<Child> start_sql_program(const SqlOptions& options, std::string_view sql, int pipe) {
  const Json wanted = {{"store", options.store.string()}, {"timeout_ms", options.timeout_ms},
                       {"texts", options.texts},          {"level", std::string(name_of(options.level))},
                       {"lexicon", options.lexicon},      {"sql", sql}};
  const Wish wish(wanted.dump());
  if (!wish.written()) return std::nullopt;
  return Child::shell({.command = "exec " + shell_word(options.program.string()), .in = wish.file(), .out = pipe});
}

int sql_program() {
  SqlOptions options;
  std::string sql;
  try {
    const Json wish = Json::parse(read_all(STDIN_FILENO)).value();
    options.store = wish.at("store").get<std::string>();
    options.timeout_ms = wish.at("timeout_ms").get<int>();
    options.texts = wish.at("texts").get<bool>();
    options.level = read_level(wish.at("level").get<std::string>()).value();
    const auto lexicon = wish.at("lexicon").get<std::string>();
    options.vader = [lexicon] {
      const VaderContents contents = read_vader({.lexicon = lexicon, .emoji = {}});
      return std::make_shared<const text::Vader>(contents.lexicon, contents.emoji);
    };
    sql = wish.at("sql").get<std::string>();
  } catch (const std::exception&) {
    return static_cast<int>(Code::kUsage);  // somebody started it by hand
  }
  sql_child(options, sql, STDOUT_FILENO);
}

}  // namespace residue::query
