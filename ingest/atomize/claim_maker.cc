#include "ingest/atomize/claim_maker.h"

#include <fmt/format.h>

#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "base/parallel.h"
#include "ingest/atomize/atomizer.h"
#include "ingest/rows/names.h"
#include "model/asking/vote_key.h"

namespace residue::ingest {
namespace {

using Texts = std::vector<std::optional<std::vector<std::string>>>;

constexpr std::size_t kShownDigestBytes = 8;

const model::Endpoint& chatting(const model::Endpoint& endpoint) {
  model::require_chat(endpoint);
  return endpoint;
}

model::TextTemplate checked(model::TextTemplate instructions) {
  model::check_text_template(instructions);
  return instructions;
}

}  // namespace

SentenceMaker::SentenceMaker(unsigned jobs) : jobs_(jobs), source_(kAtomizerVersion) {}

Texts SentenceMaker::make(std::span<const std::string_view> texts) {
  Texts claims(texts.size());
  parallel_for(texts.size(), jobs_, [&](std::size_t i) { claims[i] = atomize(texts[i]); });
  return claims;
}

TextAsker::TextAsker(storage::Store& store, model::TextTask task, model::Endpoint endpoint, std::string dataset,
                     model::AskSession& session, model::TextTemplate instructions)
    : store_(store),
      task_(task),
      endpoint_(chatting(endpoint)),
      dataset_(std::move(dataset)),
      session_(session),
      template_(checked(std::move(instructions))),
      spec_(model::text_spec(task, endpoint_.asking, template_)),
      digest_(model::spec_digest(spec_)) {}

Texts TextAsker::ask(std::span<const std::string_view> texts) {
  const model::Asking& asking = endpoint_.asking;
  std::vector<VoteKey> votes;
  votes.reserve(texts.size());
  for (const std::string_view text : texts) votes.push_back(model::text_vote(digest_, text));
  model::Task task;
  task.digest = digest_;
  task.body = [&](std::size_t i, std::uint32_t unusable) {
    const model::Messages messages = model::text_messages(task_, asking.form, digest_, texts[i], template_);
    return model::chat_body(asking, model::sample_after(0, unusable), messages.system, messages.user,
                            model::text_schema(task_));
  };
  task.problem = [&](std::size_t i, std::string_view content) {
    return model::parse_texts(task_, asking.form, texts[i], content).problem;
  };
  task.texts = [&](std::size_t i) { return std::vector<std::string_view>{texts[i]}; };
  const auto answers = model::ask_all(store_, endpoint_, dataset_, task, votes, session_);
  Texts result(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (answers[i].content) {
      result[i] = model::parse_texts(task_, asking.form, texts[i], *answers[i].content).texts;
    } else {
      failures_.add(answers[i]);
    }
  }
  return result;
}

std::string TextAsker::name(std::string_view between) const {
  return fmt::format("{}{}/{}.{}", endpoint_.name, between, to_hex(digest_.bytes().substr(0, kShownDigestBytes)),
                     model::kTextParser);
}

ModelMaker::ModelMaker(storage::Store& store, model::Endpoint endpoint, std::string dataset, model::AskSession& session,
                       model::TextTemplate instructions)
    : asker_(store, model::TextTask::kAtomize, std::move(endpoint), std::move(dataset), session,
             std::move(instructions)),
      source_("model " + asker_.name()) {}

Texts ModelMaker::make(std::span<const std::string_view> texts) {
  std::vector<std::string_view> asked;
  for (const std::string_view text : texts) {
    if (!is_blank(text)) asked.push_back(text);
  }
  Texts answers = asker_.ask(asked);
  Texts claims(texts.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (is_blank(texts[i])) {
      claims[i].emplace();
    } else {
      claims[i] = std::move(answers[at++]);
    }
  }
  return claims;
}

void ModelMaker::record(storage::Db& db) { model::keep_spec(db, asker_.spec()); }

std::string ModelMaker::failures() const {
  const std::string why = asker_.failures();
  return why.empty() ? why : fmt::format("model {} gave no usable answer: {}", asker_.endpoint().name, why);
}

}  // namespace residue::ingest
