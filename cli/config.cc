#include "cli/config.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "query/inputs/protocol.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::size_t kMostBytes = 64U << 10U;

struct KeyRow {
  const char* name;
  const char* example;
  std::optional<std::pair<std::int64_t, std::int64_t>> range;  // none: a text
};

const std::vector<KeyRow>& rows() {
  static const std::vector<KeyRow> table = {
      {"judge", "judge = \"lexical\"", std::nullopt},
      {"protocol", "protocol = \"bm25/random:3\"", std::nullopt},
      {"seeds", "seeds = 3", std::pair{1, 1000}},
      {"seed", "seed = 42", std::pair{std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}},
      {"model", "model = \"local\"", std::nullopt}};
  return table;
}

[[noreturn]] void refuse(const std::string& file, const toml::source_region& where, const std::string& cause,
                         const std::string& remedy) {
  throw Error(Code::kBadInput, fmt::format("{}, line {}: {}", file, where.begin.line, cause), remedy);
}

const KeyRow& row_of(const std::string& file, const toml::key& key) {
  std::vector<std::string> names;
  for (const KeyRow& row : rows()) {
    if (key.str() == row.name) return row;
    names.emplace_back(row.name);
  }
  const std::string name(key.str());
  refuse(file, key.source(),
         fmt::format("unknown key '{}'{}", text::escape_controls(name, text::Breaks::kEscape),
                     did_you_mean(name, names, 1)),
         fmt::format("the keys are {}; remove it, or put # in front", fmt::join(names, ", ")));
}

std::string number(const std::string& file, const KeyRow& row, const toml::node& value) {
  const auto [low, high] = *row.range;
  const auto* whole = value.as_integer();
  if (whole == nullptr || whole->get() < low || whole->get() > high) {
    refuse(file, value.source(), fmt::format("{} is no whole number from {} to {}", row.name, low, high),
           fmt::format("write {}", row.example));
  }
  return fmt::format("{}", whole->get());
}

std::string word(const std::string& file, const KeyRow& row, const toml::node& value) {
  const auto* text = value.as_string();
  if (text == nullptr || text->get().empty()) {
    refuse(file, value.source(), fmt::format("{} is no text in quotes", row.name),
           fmt::format("write {}", row.example));
  }
  if (std::string_view(row.name) == "protocol") {
    try {
      static_cast<void>(query::parse_protocol(text->get()));
    } catch (const Error& error) {
      refuse(file, value.source(), "protocol names no attacker",
             fmt::format("write one, as {}; {}", row.example, error.hint()));
    }
  }
  return text->get();
}

}  // namespace

Config parse_config(std::string_view toml, const std::string& file) {
  Config config;
  try {
    // Keys are looked at in the order of the file, so that the first mistake is the one that is told.
    const toml::table table = toml::parse(toml);
    std::map<std::uint32_t, const toml::key*> lines;
    for (const auto& [key, value] : table) lines.emplace(key.source().begin.line, &key);
    for (const auto& [line, key] : lines) static_cast<void>(row_of(file, *key));
    for (const auto& [key, value] : table) {
      const KeyRow& row = row_of(file, key);
      config[row.name] = row.range ? number(file, row, value) : word(file, row, value);
    }
  } catch (const toml::parse_error& error) {
    // Its words may quote the file, and somebody may have written a secret there.
    refuse(file, error.source(), "this is no TOML",
           fmt::format("write KEY = VALUE with texts in quotes, a key once: {}", rows().front().example));
  }
  return config;
}

Config read_config(const std::filesystem::path& store) {
  const std::string file = (store / "config.toml").string();
  const auto unreadable = [&](const std::string& cause) {
    return Error(Code::kBadInput, fmt::format("{} cannot be read: {}", file, cause),
                 "make it readable for yourself (chmod 600), or remove it to use the program's own defaults");
  };
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 && errno == ENOENT) return {};
  if (fd < 0) throw unreadable(std::strerror(errno));
  std::string bytes(kMostBytes + 1, '\0');
  std::size_t size = 0;
  struct stat info = {};
  const bool regular = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  int error = 0;
  while (regular && size < bytes.size()) {
    const ssize_t got = ::read(fd, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error = errno;
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  ::close(fd);
  if (!regular) throw unreadable("it is no file");
  if (error != 0) throw unreadable(std::strerror(error));
  if (size > kMostBytes) throw unreadable("it is larger than 64 KiB");
  return parse_config(std::string_view(bytes).substr(0, size), file);
}

}  // namespace residue::cli
