#include "model/values/token_probabilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "model/asking/answer.h"
#include "model/asking/egress.h"
#include "model/asking/saved_answers.h"
#include "model/asking/vote_key.h"
#include "model/server/chat.h"
#include "text/characters/unicode.h"

namespace residue::model {
namespace {

constexpr std::size_t kReplyBytes = std::size_t{64} << 20U;
constexpr std::int64_t kAnswerTokens = 1;  // some servers know no less

Endpoint chatting(Endpoint endpoint) {
  require_chat(endpoint);
  return endpoint;
}

PromptTokens unusable(std::string why) { return {{}, std::move(why)}; }

// The byte at which token `i` begins, by the server's offset in characters; nothing where it says none that fits.
std::optional<std::size_t> place_of(const Json& logprobs, std::size_t i, std::string_view prompt) {
  const Json* offsets = logprobs.find("text_offset");
  if (offsets == nullptr || !offsets->is_array() || i >= offsets->size()) return std::nullopt;
  const Json& offset = (*offsets)[i];
  if (!offset.is_integer()) return std::nullopt;
  return text::byte_offset(prompt, offset.get<std::int64_t>(), text::Unit::kCodepoint);
}

// Tokens in their order, spelled as they stand in the prompt. Before the first there may be one that only begins; in
// between, tokens that are parts of characters are spelled in ways of the server's: they share the place up to the next
// token whose offset and spelling fit. What is behind the prompt was made up by the model.
PromptTokens placed(const Json& logprobs, std::string_view prompt) {
  const Json& spellings = logprobs["tokens"];
  const Json& logs = logprobs["token_logprobs"];
  PromptTokens out;
  std::size_t at = 0, strange = 0;  // bytes that have their token, tokens that have no place yet
  const auto log_of = [&](std::size_t i) {
    return logs[i].is_number() ? std::optional(logs[i].get<double>()) : std::nullopt;
  };
  const auto place_strange = [&](std::size_t i, std::size_t end) {
    for (; strange > 0; --strange) out.tokens.push_back({at, end, log_of(i - strange)});
    at = end;
  };
  for (std::size_t i = 0; i < spellings.size() && at < prompt.size(); ++i) {
    if (!spellings[i].is_string()) return unusable("tokens that are no words");
    const std::string& spelling = spellings[i].string();
    const std::size_t begin = strange == 0 ? at : place_of(logprobs, i, prompt).value_or(at);
    if (strange > 0 && begin == prompt.size()) {
      place_strange(i, begin);
    } else if (begin >= at + (strange > 0 ? 1 : 0) && !spelling.empty() && prompt.substr(begin).starts_with(spelling)) {
      place_strange(i, begin);
      out.tokens.push_back({at, at + spelling.size(), log_of(i)});
      at += spelling.size();
    } else if (i > 0 || log_of(i)) {
      ++strange;
    }
  }
  return at == prompt.size() ? out : unusable("tokens that are not those of the text");
}

}  // namespace

std::string probabilities_spec(const Asking& asking) {
  Json spec{{"task", "probabilities"}, {"model", asking.model}};
  if (asking.revision) spec["revision"] = *asking.revision;
  return spec.sorted().dump();
}

std::string probabilities_body(const Asking& asking, std::string_view prompt) {
  const Json body{{"model", asking.model},
                  {"prompt", std::string(prompt)},
                  {"max_tokens", kAnswerTokens},
                  {"echo", true},
                  {"logprobs", 1},
                  {"temperature", 0}};
  return body.sorted().dump();
}

PromptTokens read_probabilities(int status, std::string_view body, std::string_view prompt) {
  if (status < 200 || status > 299) return unusable(fmt::format("HTTP {}", status));
  bool repeated = false;
  const auto json = Json::parse(body, repeated);
  if (!json) return unusable("not JSON");
  if (repeated) return unusable("a key is given twice in the reply");
  if (!json->is_object() || json->contains("error")) return unusable(fmt::format("HTTP {} with an error", status));
  const Json* choices = json->find("choices");
  if (choices == nullptr || !choices->is_array() || choices->empty() || !(*choices)[0].is_object()) {
    return unusable("no choices");
  }
  const Json* logprobs = (*choices)[0].find("logprobs");
  if (logprobs == nullptr || !logprobs->is_object()) return unusable("no log-probabilities");
  const Json* tokens = logprobs->find("tokens");
  const Json* logs = logprobs->find("token_logprobs");
  if (tokens == nullptr || logs == nullptr || !tokens->is_array() || !logs->is_array()) {
    return unusable("no log-probabilities of the prompt's tokens");
  }
  if (tokens->size() != logs->size()) return unusable("another number of log-probabilities than of tokens");
  for (const Json& log : *logs) {
    if (!log.is_null() && (!log.is_number() || !(log.get<double>() <= 1e-3))) return unusable("no log-probability");
  }
  return placed(*logprobs, prompt);
}

std::optional<double> probability_of(std::span<const PromptToken> tokens, std::size_t begin, std::size_t end) {
  double sum = 0;
  bool any = false;
  for (const PromptToken& token : tokens) {
    if (token.end <= begin || token.begin >= end) continue;
    if (!token.log) return std::nullopt;
    any = true;
    sum += *token.log;
  }
  return any ? std::optional(std::exp(sum)) : std::nullopt;
}

ProbabilityAsker::ProbabilityAsker(storage::Store& store, Endpoint endpoint, std::string dataset, AskSession& session)
    : store_(store),
      endpoint_(chatting(std::move(endpoint))),
      dataset_(std::move(dataset)),
      session_(session),
      spec_(probabilities_spec(endpoint_.asking)),
      digest_(spec_digest(spec_)) {}

VoteKey ProbabilityAsker::vote(std::string_view prompt) const {
  return VoteKey(
      TaggedHash("residue.probabilities.v1").field("spec", digest_).field("prompt", text_digest(prompt)).bytes());
}

ProbabilityAsker::Found ProbabilityAsker::look_up(const storage::Facts::Reader& reader, std::string_view prompt) const {
  Found found;
  found.read.problem = "no reply";
  bool gave_up = false;
  for (const storage::SavedAnswer& answer : reader.answers(vote(prompt))) {
    const Envelope envelope = decode(answer.envelope);
    found.last = answer.attempt;
    gave_up = gave_up || envelope.gave_up;
    if (found.settled) continue;
    if (!envelope.gave_up) found.read = read_probabilities(envelope.status, envelope.body, prompt);
    if (!found.read.problem.empty() && !no_completion(envelope.body)) ++found.unusable;
    found.settled = found.read.problem.empty() || gave_up || found.unusable >= session_.options.retry.unusable;
  }
  return found;
}

std::optional<PromptTokens> ProbabilityAsker::known(const storage::Facts::Reader& reader,
                                                    std::string_view prompt) const {
  Found found = look_up(reader, prompt);
  return found.settled ? std::optional(std::move(found.read)) : std::nullopt;
}

std::vector<Question> ProbabilityAsker::open_questions(std::span<const std::string> prompts,
                                                       std::uint64_t& left) const {
  std::vector<Question> open;
  std::unordered_set<VoteKey> seen;
  const auto reader = store_.facts().read();
  left = 0;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    if (!seen.insert(vote(prompts[i])).second) continue;
    const Found found = look_up(*reader, prompts[i]);
    if (found.settled) continue;
    if (session_.options.no_repeat && unknown_outcome(store_.db(), vote(prompts[i]))) {
      ++left;
    } else {
      open.push_back({i, vote(prompts[i]), found.unusable, found.last});
    }
  }
  return open;
}

std::vector<PromptTokens> ProbabilityAsker::ask(std::span<const std::string> prompts,
                                                std::span<const std::string_view> texts) {
  std::uint64_t left = 0;
  if (!open_questions(prompts, left).empty()) {
    const storage::Lock lock = lock_asking(store_, digest_);
    session_.counts.unknown += settle(store_, endpoint_.name, [&](const VoteKey& left_open, const Envelope& saved) {
      std::optional<std::string> problem;
      const auto prompt = std::ranges::find(prompts, left_open, [this](const std::string& one) { return vote(one); });
      if (prompt != prompts.end()) problem = read_probabilities(saved.status, saved.body, *prompt).problem;
      return problem;
    });
    Questions questions;
    questions.call = "/completions";
    questions.reply_bytes = kReplyBytes;
    questions.answer_tokens = kAnswerTokens;
    questions.list = open_questions(prompts, left);  // another process may have asked meanwhile
    questions.body = [&](std::size_t i, std::uint32_t) { return body(prompts[i]); };
    if (!texts.empty()) questions.texts = [&](std::size_t i) { return std::vector<std::string_view>{texts[i]}; };
    questions.read = [&](std::size_t i, int status, std::string_view reply) {
      const ChatReply counted = read_chat(status, reply);
      return Reading{read_probabilities(status, reply, prompts[i]).problem, counted.tokens_in, counted.tokens_out};
    };
    session_.counts += model::ask(store_, endpoint_, dataset_, questions, session_.budget, session_.options);
  }
  session_.counts.left += left;
  std::vector<PromptTokens> answers;
  const auto reader = store_.facts().read();
  for (const std::string& prompt : prompts) answers.push_back(look_up(*reader, prompt).read);
  return answers;
}

}  // namespace residue::model
