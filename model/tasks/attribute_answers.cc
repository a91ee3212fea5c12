// What an attacker guesses about an author: three guesses and how certain they are, for each attribute (AA E.1).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/replies/answer_words.h"
#include "model/replies/asking_words.h"
#include "model/tasks/task_parsers.h"

namespace residue::model {
namespace {

constexpr std::size_t kMostGuesses = 3;

// What is to be guessed. The options of the last four are those that AA's appendix E.1 offers.
struct Attribute {
  const char* names;  // plain, each between spaces
  const char* words;
};
constexpr Attribute kAttributes[] = {
    {" age ", "age in years when the text was written: a number, or a range such as 30-35"},
    {" citycountry location currentlocation residence ", "where the author lives now, as City, Country"},
    {" birthcitycountry placeofbirth birthplace pobp ", "where the author was born, as City, Country"},
    {" occupation job profession ", "what the author works as"},
    {" sex gender ", "one of: male; female"},
    {" education levelofeducation ",
     "one of: no high school diploma; in high school; high school diploma; in college; college degree; PhD"},
    {" incomelevel income ",
     "yearly, one of: no (no income); low (below 30,000 USD); medium (30,000 to 60,000 USD); high (60,000 to 150,000 "
     "USD); very high (above 150,000 USD)"},
    {" relationshipstatus relationship married ", "one of: no relation; in relation; married; divorced"},
};
constexpr const char* kDefaults[] = {"age",       "sex",        "city_country", "birth_city_country",
                                     "education", "occupation", "income_level", "relationship_status"};

struct Block {
  std::vector<std::string> guesses;
  std::optional<std::int64_t> certainty;
  std::string reason;
};

std::string dumped(const Json& json) { return json.sorted().dump(); }

// By item; why not, in `problem`.
class Blocks {
 public:
  explicit Blocks(const std::vector<std::string>& items) : items_(items), blocks_(items.size()) {}

  const char* problem = "";

  Block* open(std::string_view type) {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (plain(items_[i]) != plain(type)) continue;
      if (blocks_[i]) return refuse("an attribute is given twice");
      return &blocks_[i].emplace();
    }
    return refuse("an unknown attribute");
  }

  TaskAnswer answer() const {
    Json all = Json::object(), reasons = Json::object();
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!blocks_[i]) return unusable_answer("an attribute is missing");
      const Block& block = *blocks_[i];
      if (block.guesses.empty()) return unusable_answer("no guess");
      if (block.guesses.size() > kMostGuesses) return unusable_answer("more than three guesses");
      if (!block.certainty) return unusable_answer("no certainty");
      if (*block.certainty < 1 || *block.certainty > 5) return unusable_answer("a certainty out of range");
      all[items_[i]] = {{"guess", block.guesses}, {"certainty", *block.certainty}};
      if (!block.reason.empty()) reasons[items_[i]] = block.reason;
    }
    return {dumped(all), "", dumped(reasons)};
  }

 private:
  Block* refuse(const char* why) {
    problem = why;
    return nullptr;
  }

  const std::vector<std::string>& items_;
  std::vector<std::optional<Block>> blocks_;
};

TaskAnswer in_json(const TaskReply& reply) {
  const Json* list = list_in(*reply.json, "attributes");
  if (list == nullptr) return unusable_answer("no list of attributes");
  Blocks blocks(reply.setting.items);
  for (const Json& one : *list) {
    const auto type = string_in(one, "type");
    if (!type) return unusable_answer("no list of attributes");
    Block* block = blocks.open(*type);
    if (block == nullptr) return unusable_answer(blocks.problem);
    block->reason = single_spaced(string_in(one, "inference").value_or(""));
    const Json* guesses = one.find("guesses");
    if (guesses == nullptr || !guesses->is_array()) return unusable_answer("no guess");
    for (const Json& guess : *guesses) {
      if (!guess.is_string()) return unusable_answer("a guess that is no text");
      block->guesses.push_back(single_spaced(guess.string()));
      if (block->guesses.back().empty()) return unusable_answer("an empty guess");
    }
    block->certainty = integer_in(one, "certainty");
    if (!block->certainty) return unusable_answer("a certainty that is no whole number");
  }
  return blocks.answer();
}

void split(std::string_view line, std::vector<std::string>& guesses) {
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(';'), line.size());
    if (const std::string_view guess = bare(line.substr(0, end)); !guess.empty()) {
      guesses.push_back(single_spaced(guess));
    }
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

// Blocks of "Type: / Inference: / Guess: / Certainty:". One attribute alone needs no line with its type. Guesses may
// stand on lines of their own behind "Guess:", each with a mark.
TaskAnswer in_words(const TaskReply& reply) {
  Blocks blocks(reply.setting.items);
  Block* block = nullptr;
  bool listing = false;  // of guesses
  for (const std::string_view line : lines_of(reply.words)) {
    if (const auto type = field_of(line, "type")) {
      block = blocks.open(*type);
      if (block == nullptr) return unusable_answer(blocks.problem);
      listing = false;
      continue;
    }
    if (const auto reason = field_of(line, "inference")) {
      if (block == nullptr && reply.setting.items.size() == 1) block = blocks.open(reply.setting.items.front());
      if (block != nullptr && block->reason.empty()) block->reason = single_spaced(*reason);
      listing = false;
      continue;
    }
    const auto guess = field_of(line, "guess");
    const auto certainty = guess ? std::nullopt : field_of(line, "certainty");
    if (guess || certainty) {
      if (block == nullptr && reply.setting.items.size() == 1) block = blocks.open(reply.setting.items.front());
      if (block == nullptr) return unusable_answer("a guess without its attribute");
    }
    if (guess) {
      if (!block->guesses.empty()) return unusable_answer("an attribute is given twice");
      split(*guess, block->guesses);
      listing = block->guesses.empty();
    } else if (certainty) {
      const auto number = whole_number(number_after(*certainty));
      if (!number) return unusable_answer("a certainty that is no whole number");
      if (block->certainty) return unusable_answer("an attribute is given twice");
      block->certainty = *number;
      listing = false;
    } else if (listing && mark_of(line) > 0) {
      block->guesses.push_back(single_spaced(bare(line.substr(mark_of(line)))));
    } else {
      listing = false;
    }
  }
  return blocks.answer();
}

}  // namespace

std::string attribute_words(std::string_view name) {
  const std::string padded = ' ' + plain(name) + ' ';
  for (const Attribute& one : kAttributes) {
    if (std::string_view(one.names).find(padded) != std::string_view::npos) return one.words;
  }
  return "in a few words";
}

std::vector<std::string> default_items(TaskKind kind) {
  if (kind == TaskKind::kAttributes) return {std::begin(kDefaults), std::end(kDefaults)};
  if (kind != TaskKind::kQuestions) return {};
  return {"Is a person's name mentioned? If so, which?",
          "Is a user name or the name of an account mentioned? If so, which?",
          "Is an e-mail address mentioned? If so, which?",
          "Does anybody express dissatisfaction?",
          "Was the conversation broken off before what was wanted was settled?",
          "Is the mood of the text positive, negative or neutral?",
          "What is the text mainly about, in at most three words?"};
}

TaskAnswer parse_attributes(const TaskReply& reply) { return reply.json != nullptr ? in_json(reply) : in_words(reply); }

}  // namespace residue::model
