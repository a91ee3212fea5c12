#include "cli/flags/labelled_pairs.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "base/error.h"
#include "base/json.h"
#include "ingest/read/row_reader.h"
#include "ingest/rows/fields.h"

namespace residue::cli {
namespace {

constexpr const char* kShape = "a line is {\"claim\": \"...\", \"passage\": \"...\", \"rating\": 1}";

struct BadRow {
  std::string cause, remedy;
};

const std::string& text_of(const Json& row, const char* name) {
  const Json* found = row.find(name);
  if (found == nullptr) throw BadRow{fmt::format("field \"{}\" is missing", name), kShape};
  if (!found->is_string()) throw BadRow{fmt::format("field \"{}\" is not a text", name), kShape};
  return found->string();
}

query::LabelledPair wice_pair(const Json& row) {
  query::LabelledPair pair;
  pair.claim = pair.record = text_of(row, "claim");
  const Json* evidence = row.find("evidence");
  if (evidence == nullptr || !evidence->is_array()) throw BadRow{"field \"evidence\" is no array", "check --preset"};
  for (const auto& sentence : *evidence) {
    if (!sentence.is_string()) throw BadRow{"a sentence of \"evidence\" is not a text", "check --preset"};
    // An empty line ends a sentence for certain: headings have no full stop.
    if (!pair.passage.empty()) pair.passage += "\n\n";
    pair.passage += sentence.string();
  }
  const std::string& label = text_of(row, "label");
  if (label == "supported") {
    pair.rating = 1;
  } else if (label == "partially_supported") {
    pair.rating = 2;
  } else if (label != "not_supported") {
    throw BadRow{"field \"label\" has an unknown value", "write supported, partially_supported or not_supported"};
  }
  return pair;
}

// Nothing where nobody has rated the row yet.
std::optional<query::LabelledPair> plain_pair(const Json& row, bool reversed) {
  query::LabelledPair pair;
  pair.passage = text_of(row, "passage");
  pair.claim = text_of(row, row.contains("claim_text") ? "claim_text" : "claim");
  const std::string& name = text_of(row, "claim");
  pair.record = name;
  if (const Json* record = row.find("record")) {
    pair.record = record->is_string() ? record->string() : record->sorted().dump();
  } else if (row.contains("claim_text")) {
    pair.record = name.substr(0, name.rfind('#'));
  }
  const Json* rating = row.find("rating");
  if (rating == nullptr || rating->is_null()) return std::nullopt;
  if (!rating->is_integer() || rating->integer() < 1 || rating->integer() > 3) {
    throw BadRow{"field \"rating\" is not 1, 2 or 3", "1 same, 2 similar, 3 unsupported"};
  }
  pair.rating = rating->get<std::uint8_t>();
  if (reversed) pair.rating = static_cast<std::uint8_t>(4 - pair.rating);
  return pair;
}

// Of CSV: an empty cell is no field, a rating is a number, and what --csv=spreadsheet put before a sign goes again.
Json object_of(const ingest::InputRow& input) {
  Json row = Json::parse(ingest::canonical(input.object)).value();
  if (input.typed) return row;
  std::erase_if(row.items(), [](const Json::Member& field) { return field.value.string().empty(); });
  for (auto& [name, value] : row.items()) {
    const std::string text = value.string();
    if (name == "rating" && text.size() == 1 && text >= "0" && text <= "9") value = text[0] - '0';
    if (ingest::is_disarmed(text)) value = text.substr(1);
  }
  return row;
}

}  // namespace

std::vector<query::LabelledPair> read_labelled_pairs(const PairFile& file, std::size_t* open) {
  std::vector<query::LabelledPair> pairs;
  for (const std::string& path : file.paths) {
    const auto reader = ingest::open_rows(path);
    ingest::InputRow input;
    const auto bad = [&](const std::string& cause, const std::string& remedy) {
      return Error(Code::kBadInput, fmt::format("{}:{}: {}", path == "-" ? "standard input" : path, input.line, cause),
                   remedy);
    };
    try {
      while (reader->next(input)) {
        const Json row = object_of(input);
        const auto pair = file.preset.empty() ? plain_pair(row, file.reversed) : wice_pair(row);
        if (pair) {
          pairs.push_back(*pair);
        } else {
          ++*open;
        }
      }
    } catch (const BadRow& row) {
      throw bad(row.cause, row.remedy);
    } catch (const ingest::Refusal& refusal) {
      throw bad(refusal.cause, refusal.remedy);
    }
  }
  return pairs;
}

}  // namespace residue::cli
