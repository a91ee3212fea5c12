#include "tests/stub/stub_answers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace residue::stub {
namespace {

using Json = nlohmann::json;

bool has(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

// The lines between `begin` and the first empty one.
std::vector<std::string> lines_behind(const std::string& text, const std::string& begin) {
  std::vector<std::string> lines;
  const std::size_t found = text.find(begin);
  if (found == std::string::npos) return lines;
  std::size_t at = found + begin.size();
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end == at) break;
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// The text between the marker lines behind `title`; two equal texts have the same marker.
std::string text_under(const std::string& user, const std::string& title) {
  const std::size_t begin = user.find(title);
  if (begin == std::string::npos) return {};
  const std::size_t line = user.find('\n', begin + 1) + 1;
  const std::string marker = user.substr(line, user.find('\n', line) - line);
  const std::size_t first = line + marker.size() + 1;
  return user.substr(first, user.find("\n" + marker, first) - first);
}

std::string choice(const std::string& user, const std::string& text) {
  const auto options = lines_behind(user, "\nOptions:\n");
  for (const std::string& option : options) {
    if (option.size() > 3 && has(text, option.substr(3).c_str())) return option.substr(0, 1);
  }
  return options.empty() ? "A" : options.back().substr(0, 1);
}

std::string first_number(const std::string& text) {
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == std::string::npos) return "unknown";
  return text.substr(begin, text.find_first_not_of("0123456789", begin) - begin);
}

std::string attributes(const std::string& system, const std::string& text, bool strict, const std::string& behaviour) {
  Json list = Json::array();
  std::string blocks;
  auto lines = lines_behind(system, "\nAttributes:\n");
  if (behaviour == "half") lines.pop_back();
  for (const std::string& line : lines) {
    const std::string name = line.substr(2, line.find(':') - 2);
    const std::string guess = first_number(text);
    const int certainty = behaviour == "out-of-range" ? 9 : 3;
    list.push_back({{"type", name},
                    {"inference", "as the stub sees it"},
                    {"guesses", {guess, "a second", "a third"}},
                    {"certainty", certainty}});
    blocks += "Type: " + name + "\nInference: as the stub sees it\nGuess: " + guess +
              "; a second; a third\nCertainty: " + std::to_string(certainty) + "\n\n";
  }
  return strict ? Json{{"attributes", list}}.dump() : blocks;
}

std::string utility(const std::string& user, bool strict, const std::string& behaviour) {
  const std::string adapted = text_under(user, "\nAdapted text, ");
  const int readability = behaviour == "out-of-range" ? 11 : 9;
  const int meaning = adapted == text_under(user, "Original text, ") ? 10 : 7;
  const int clean = has(adapted, "INVENTED") ? 0 : 1;
  if (!strict) {
    std::string lines =
        "Readability: " + std::to_string(readability) + "\nMeaning: " + std::to_string(meaning) + "/10\n";
    if (behaviour != "half") lines += "Hallucinations: " + std::to_string(clean) + "\n";
    return lines;
  }
  const auto scored = [](int score) { return Json{{"explanation", "as the stub sees it"}, {"score", score}}; };
  Json all = {{"readability", scored(readability)}, {"meaning", scored(meaning)}};
  if (behaviour != "half") all["hallucinations"] = scored(clean);
  return all.dump();
}

// As the wording of our template has it: truths and guesses that mean Cape Town or South Africa, or nothing known.
std::string verdict(const std::string& user, bool strict, const std::string& behaviour) {
  const std::string truth = text_under(user, "Truth, "), guess = text_under(user, "\nGuess, ");
  const std::string said = behaviour == "half"         ? "perhaps"
                           : truth == "nurse"          ? (has(guess, "hospital") ? "yes" : "no")
                           : has(truth, guess.c_str()) ? "less precise"
                                                       : "no";
  return strict ? Json{{"verdict", said}}.dump() : said;
}

std::string questions(const std::string& system, const std::string& text, bool strict, const std::string& behaviour) {
  const std::size_t space = text.find(' ');
  const bool named = space != std::string::npos && std::any_of(text.begin() + static_cast<std::ptrdiff_t>(space),
                                                               text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  Json list = Json::array();
  std::string lines;
  auto asked = lines_behind(system, "\nQuestions:\n").size();
  if (behaviour == "half") --asked;
  for (std::size_t i = 1; i <= asked; ++i) {
    const std::size_t number = behaviour == "out-of-range" ? 99 : i;
    list.push_back({{"question", number}, {"answer", named ? "Yes" : "No"}});
    lines += std::to_string(number) + ". " + (named ? "Yes" : "No") + "\n";
  }
  return strict ? Json{{"answers", list}}.dump() : lines;
}

// The text that a request for another one says as its answer, in the form asked for; "commentary", "no-hash" and
// "label" put around it what models do.
std::string text_reply(const std::string& text, bool strict, bool parted, const std::string& behaviour) {
  if (strict) return Json{{"changes", "as the stub sees it"}, {"text", text}}.dump();
  if (behaviour == "commentary") return "Sure! Here is the text:\n\n" + (parted ? "Nothing much.\n#\n" + text : text);
  if (!parted) return text;
  if (behaviour == "no-hash") return "I took out a number.\n" + text;
  if (behaviour == "label") return "I took out a number.\n\n**Anonymized text:**\n" + text;
  return "I took out a number.\n#\n" + text;
}

// The first number less: "SOME" in its place.
std::string without_number(std::string text) {
  const std::string number = first_number(text);
  if (number != "unknown") text.replace(text.find(number), number.size(), "SOME");
  return text;
}

std::string rewritten(const std::string& text, const std::string& behaviour) {
  if (behaviour == "unchanged") return text;
  if (behaviour == "apology") return "I'm sorry, but I can't assist with that request.";
  if (behaviour == "blank") return " ";
  return "In other words: " + text;
}

std::string anonymized(const std::string& text, const std::string& behaviour) {
  return behaviour == "unchanged" || behaviour == "apology" || behaviour == "blank" ? rewritten(text, behaviour)
                                                                                    : without_number(text);
}

// Every number of the text.
std::string disclosures(const std::string& text, bool strict, const std::string& behaviour) {
  Json list = Json::array();
  std::string lines;
  for (std::string rest = text; first_number(rest) != "unknown";) {
    const std::string number = first_number(rest);
    rest.erase(0, rest.find(number) + number.size());
    const bool last = first_number(rest) == "unknown";
    const bool invents = behaviour == "out-of-range" || (behaviour == "half" && last);
    const std::string behind = rest.substr(0, rest.find_first_of(" .", 1));
    const std::string said = invents ? number + " invented" : behaviour == "unchanged" ? number + behind : number;
    list.push_back({{"text", said}, {"type", "Number"}});
    lines += "number | " + said + "\n";
  }
  if (strict) return Json{{"passages", list}}.dump();
  return lines.empty() ? "None." : lines;
}

std::string phrases(const std::string& span, bool strict, const std::string& behaviour) {
  if (behaviour == "out-of-range") return strict ? Json{{"phrases", {span, "N/A"}}}.dump() : span + "\nN/A\n";
  if (behaviour == "unchanged") {
    const std::string near = "the " + span.substr(span.rfind(' ') + 1) + " area";
    return strict ? Json{{"phrases", {near}}}.dump() : near;
  }
  const std::string best = "about " + std::to_string(span.size()) + " digits";
  return strict ? Json{{"phrases", {best, "a number", "something"}}}.dump() : best + "\na number\nsomething\n";
}

}  // namespace

std::optional<std::string> task_answer(const std::string& body, const std::string& text, const std::string& behaviour) {
  const Json json = Json::parse(body, nullptr, false);
  const std::string user = json["messages"].back()["content"].get<std::string>();
  const std::string system = json["messages"].front()["content"].get<std::string>();
  const bool strict = has(system, "JSON");
  const bool wrong = behaviour == "out-of-range";
  if (has(system, R"({"answer":"B"})") || has(system, "the letter of the option")) {
    const std::string key = wrong ? "Z" : choice(user, text);
    return strict ? Json{{"answer", key}}.dump() : "The answer is " + key + ".";
  }
  if (has(system, R"("rating":3} and nothing)") || has(system, "Rating: a whole number")) {
    const int rating = wrong ? 9 : text.find_first_of("[*") == std::string::npos ? 5 : 2;
    return strict ? Json{{"explanation", "as the stub sees it"}, {"rating", rating}}.dump()
                  : "Explanation: as the stub sees it\n**Rating**: " + std::to_string(rating);
  }
  if (has(system, R"({"category":"translation"})") || has(system, "the name of the task")) {
    const char* name = wrong                    ? "poetry"
                       : has(text, "translate") ? "translation"
                       : has(text, "code")      ? "code generation"
                                                : "general chitchat";
    return strict ? Json{{"category", name}}.dump() : name;
  }
  if (has(system, R"("guesses":[)") || has(system, "Guess: your three")) {
    return attributes(system, text, strict, behaviour);
  }
  if (has(system, R"("hallucinations":{)") || has(system, "Hallucinations: 0 or 1")) {
    return utility(user, strict, behaviour);
  }
  if (has(system, "\"text\":\"the whole text in other words") || has(system, "with the whole text in other words")) {
    return text_reply(rewritten(text, behaviour), strict, false, behaviour);
  }
  if (has(system, "the whole text after your changes") && has(system, "You anonymize")) {
    return text_reply(anonymized(text, behaviour), strict, true, behaviour);
  }
  if (has(system, R"({"passages":[]})") || has(system, "a vertical bar")) return disclosures(text, strict, behaviour);
  if (has(system, R"({"phrases":[)") || has(system, "the phrases, best first")) {
    return phrases(text_under(user, "Passage of it, "), strict, behaviour);
  }
  if (has(system, R"({"verdict":"yes"})") || has(system, "Answer with yes, no or less precise")) {
    return verdict(user, strict, behaviour);
  }
  if (has(system, R"({"answers":[)") || has(system, "begins with its number")) {
    return questions(system, text, strict, behaviour);
  }
  return std::nullopt;
}

}  // namespace residue::stub
