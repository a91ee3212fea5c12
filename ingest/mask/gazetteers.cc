#include "ingest/mask/gazetteers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "ingest/read/byte_source.h"
#include "text/characters/unicode.h"

namespace residue::ingest {

const std::string_view kListsHelp =
    "own, and beside it of iso-codes, tzdata, miscfiles, ruby-faker, libdata-faker-perl; debian: all installed ones";

namespace {

using text::NameBits;
using text::NameLists;

constexpr std::size_t kMostBytes = 64U << 20U;

std::string read_all(const std::string& path) {
  std::string bytes;
  const auto source = open_bytes(path);
  std::array<char, 65'536> block{};
  while (const std::size_t got = source->read(block.data(), block.size())) {
    bytes.append(block.data(), got);
    if (bytes.size() > kMostBytes) {
      throw Error(Code::kBadInput, fmt::format("{}: the list of names is longer than 64 MiB", shown_name(path)),
                  "give one name a line");
    }
  }
  return bytes;
}

template <class Take>
void each_line(std::string_view file, const Take& take) {
  while (!file.empty()) {
    const std::size_t end = std::min(file.find('\n'), file.size());
    take(text::slice(file, text::trim(file, {0, end})));
    file.remove_prefix(std::min(end + 1, file.size()));
  }
}

[[noreturn]] void unreadable(std::string_view package) {
  throw Error(Code::kBadInput, fmt::format("the files of the package {} have an unknown layout", package),
              "leave it out of lists=");
}

// iso_3166-1.json: countries; iso_3166-2.json: their parts.
void iso_codes(NameLists& lists, const std::string& file) {
  const auto json = Json::parse(file).value_or(Json());
  if (!json.is_object() || json.empty()) unreadable("iso-codes");
  const Json& table = json.items().front().value;  // the file's only one
  if (!table.is_array()) unreadable("iso-codes");
  for (const Json& row : table) {
    for (const char* field : {"name", "common_name", "official_name"}) {
      const Json* found = row.find(field);
      if (found == nullptr || !found->is_string()) continue;
      // "Bolivia, Plurinational State of", "Abū Z̧aby [Abu Dhabi]", "Bruxelles-Capitale, Région de;Brussels"
      const std::string name = found->get<std::string>();
      const std::string_view plain = std::string_view(name).substr(0, name.find_first_of(",[;("));
      lists.add(NameBits::kPlace, text::slice(plain, text::trim(plain, {0, plain.size()})));
    }
  }
}

// zone.tab: "AD  +4230+00131  Europe/Andorra".
void tzdata(NameLists& lists, const std::string& file) {
  each_line(file, [&](std::string_view line) {
    if (line.empty() || line[0] == '#') return;
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (second == std::string_view::npos) unreadable("tzdata");
    std::string zone(line.substr(second + 1, line.find('\t', second + 1) - second - 1));
    zone.erase(0, zone.rfind('/') + 1);
    std::ranges::replace(zone, '_', ' ');
    lists.add(NameBits::kPlace, zone);
  });
}

// propernames: a first name a line; cities.dat: "Name        : Aberdeen".
void miscfiles(NameLists& lists, const std::string& file) {
  const bool cities = file.find("Population") != std::string::npos;
  each_line(file, [&](std::string_view line) {
    if (!cities) return lists.add(NameBits::kFirst, line);
    if (!line.starts_with("Name ") && !line.starts_with("Name:")) return;
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos)
      lists.add(NameBits::kPlace, text::slice(line, text::trim(line, {colon + 1, line.size()})));
  });
}

// YAML of one line: "first_name: [Ada, 'Al', ...]".
void ruby_faker(NameLists& lists, const std::string& file) {
  each_line(file, [&](std::string_view line) {
    const std::size_t open = line.find(": [");
    if (open == std::string_view::npos || line.back() != ']') return;
    const std::string_view field = line.substr(0, open);
    const bool first = field.ends_with("first_name"), last = field.ends_with("last_name");
    if (!first && !last) return;
    std::string_view rest = line.substr(open + 3, line.size() - open - 4);
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string_view name = text::slice(rest, text::trim(rest, {0, comma}));
      if (name.size() > 2 && (name.front() == '"' || name.front() == '\'')) name = name.substr(1, name.size() - 2);
      lists.add(first ? NameBits::kFirst : NameBits::kLast, name);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  });
}

// Perl: "last_name => [qw( ... )]" over many lines.
void data_faker(NameLists& lists, const std::string& file) {
  for (const auto& [field, kind] : {std::pair<std::string_view, std::uint8_t>{"last_name", NameBits::kLast},
                                    std::pair<std::string_view, std::uint8_t>{"first_name", NameBits::kFirst}}) {
    const std::size_t at = file.find(fmt::format("{} => [qw(", field));
    const std::size_t end = at == std::string::npos ? at : file.find(')', at + field.size() + 8);
    if (end == std::string::npos) unreadable("libdata-faker-perl");
    std::string_view rest(file);
    rest = rest.substr(at + field.size() + 8, end - at - field.size() - 8);
    while (!rest.empty()) {
      const std::size_t stop = std::min(rest.find_first_of(" \t\n"), rest.size());
      if (stop > 0) lists.add(kind, rest.substr(0, stop));
      rest.remove_prefix(std::min(stop + 1, rest.size()));
    }
  }
}

struct Package {
  std::string_view name;
  std::vector<std::string_view> files;  // below share; "*" stands for a version or a language
  void (*read)(NameLists& lists, const std::string& file);
};

const std::array<Package, 5>& packages() {
  static const std::array<Package, 5> all{
      Package{"iso-codes", {"iso-codes/json/iso_3166-1.json", "iso-codes/json/iso_3166-2.json"}, iso_codes},
      Package{"tzdata", {"zoneinfo/zone.tab"}, tzdata},
      Package{"miscfiles", {"dict/propernames.gz", "misc/cities.dat.gz"}, miscfiles},
      Package{"ruby-faker",
              {"rubygems-integration/all/gems/faker-*/lib/locales/*.yml",
               "rubygems-integration/all/gems/faker-*/lib/locales/en/name.yml"},
              ruby_faker},
      Package{"libdata-faker-perl", {"perl5/Data/Faker/Name.pm"}, data_faker}};
  return all;
}

// The files that a pattern stands for, by name. One "*" in each part of the path.
std::vector<std::string> matching(const std::string& share, std::string_view pattern) {
  std::vector<std::filesystem::path> found{share};
  while (!pattern.empty()) {
    const std::size_t slash = std::min(pattern.find('/'), pattern.size());
    const std::string part(pattern.substr(0, slash));
    pattern.remove_prefix(std::min(slash + 1, pattern.size()));
    const std::size_t star = part.find('*');
    std::vector<std::filesystem::path> next;
    for (const auto& dir : found) {
      std::error_code failed;
      if (star == std::string::npos) {
        if (std::filesystem::exists(dir / part, failed)) next.push_back(dir / part);
        continue;
      }
      for (const auto& entry : std::filesystem::directory_iterator(dir, failed)) {
        const std::string name = entry.path().filename().string();
        const bool fits = name.size() >= part.size() - 1 && name.starts_with(part.substr(0, star)) &&
                          name.ends_with(part.substr(star + 1));
        if (fits) next.push_back(entry.path());
      }
    }
    std::ranges::sort(next);
    found = std::move(next);
  }
  std::vector<std::string> paths;
  for (const auto& path : found) paths.push_back(path.string());
  return paths;
}

std::vector<std::string> files_of(const Package& package, const std::string& share) {
  std::vector<std::string> all;
  for (const std::string_view pattern : package.files) {
    const auto paths = matching(share, pattern);
    if (paths.empty()) return {};
    all.insert(all.end(), paths.begin(), paths.end());
  }
  return all;
}

class Reader {
 public:
  explicit Reader(const std::string& share) : share_(share) {}

  void own() {
    names_->read(text::own_names_file());
    sources_.push_back({"own", to_hex(sha256(text::own_names_file()))});
  }

  // Whether it is installed.
  bool package(const Package& package) {
    const auto files = files_of(package, share_);
    std::string digests;
    for (const std::string& file : files) {
      const std::string bytes = read_all(file);
      digests += sha256(bytes);
      package.read(*names_, bytes);
    }
    if (files.empty()) return false;
    sources_.push_back({std::string(package.name), to_hex(sha256(digests))});
    return true;
  }

  void file(const std::string& path, std::uint8_t kind) {
    if (path.empty()) return;
    const std::string bytes = read_all(path);
    if (!text::valid_utf8(bytes)) {
      throw Error(Code::kBadInput, fmt::format("{}: the list of names is not UTF-8", shown_name(path)),
                  "give one name a line, in UTF-8");
    }
    each_line(bytes, [&](std::string_view line) {
      // A name of several words is a person's first and last name: both count.
      if (kind != NameBits::kFirst) return names_->add(kind, line);
      const std::size_t space = line.rfind(' ');
      names_->add(NameBits::kFirst, line.substr(0, line.find(' ')));
      if (space != std::string_view::npos) names_->add(NameBits::kLast, line.substr(space + 1));
    });
    sources_.push_back({shown_name(path), to_hex(sha256(bytes))});
  }

  Gazetteers done() { return {std::move(names_), std::move(sources_)}; }

 private:
  const std::string& share_;
  std::shared_ptr<NameLists> names_ = std::make_shared<NameLists>();
  std::vector<NameSource> sources_;
};

void read_list(Reader& reader, std::string_view name) {
  if (name == "own") return;
  if (name == "debian") {
    bool any = false;
    for (const Package& one : packages()) any = reader.package(one) || any;
    if (any) return;
    throw Error(Code::kNotFound, "scrub: none of the packages with names is installed",
                "apt install iso-codes tzdata, or leave out lists=debian");
  }
  const auto* package = std::ranges::find(packages(), name, &Package::name);
  if (package == packages().end()) {
    throw Error(Code::kUsage, fmt::format("scrub: unknown list '{}'", name.substr(0, 64)),
                fmt::format("lists= takes {}", kListsHelp));
  }
  if (reader.package(*package)) return;
  throw Error(Code::kNotFound, fmt::format("scrub: the package {} is not installed", name),
              fmt::format("apt install {}, or leave it out of lists=", name));
}

}  // namespace

Gazetteers load_gazetteers(const GazetteerPlan& plan, const std::string& share) {
  Reader reader(share);
  reader.own();
  std::string_view rest = plan.lists;
  do {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    read_list(reader, rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  } while (!rest.empty());
  reader.file(plan.names, NameBits::kFirst);
  reader.file(plan.places, NameBits::kPlace);
  reader.file(plan.organisations, NameBits::kOrganisation);
  return reader.done();
}

}  // namespace residue::ingest
