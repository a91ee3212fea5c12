#include "ingest/files/work_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "ingest/read/line_reader.h"
#include "model/asking/answer.h"
#include "model/asking/asker.h"
#include "model/asking/batch_file.h"
#include "model/asking/exported.h"
#include "model/asking/fresh.h"
#include "model/asking/too_long.h"
#include "model/asking/vote_key.h"
#include "model/limits/read_whole.h"
#include "model/server/chat.h"
#include "model/server/server_url.h"
#include "model/tasks/claim_support.h"
#include "storage/catalog/answers/attempt.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/disk/fault.h"

namespace residue::ingest {
namespace {

using storage::Statement;

constexpr std::size_t kLinesAtOnce = 2'000;
constexpr std::size_t kBytesAtOnce = 32U << 20U;
constexpr std::size_t kNotes = 20;

// Why a reply cannot be used; empty if it can. `asked`: how many claims it is about; 0: nobody said, then any number is
// tried, and the reply is held against its claims when it is read to be used.
std::string problem_of(const model::ChatReply& reply, std::size_t asked,
                       model::AnswerForm form = model::AnswerForm::kText) {
  if (!reply.problem.empty()) return reply.problem;
  if (asked > 0) return model::parse_support(reply.content, asked, form).problem;
  std::string problem = model::parse_support(reply.content, 1, form).problem;
  for (std::size_t claims = 2; !problem.empty() && claims <= model::kMaxClaimsPerRequest; ++claims) {
    if (model::parse_support(reply.content, claims, form).problem.empty()) problem.clear();
  }
  return problem;
}

// How far a vote has come: the first usable reply counts, and so many that are none end it (model/saved_answers.h).
class VoteState {
 public:
  // True if this reply decides the vote.
  bool take(bool usable, const model::Envelope& reply) {
    const bool decides = usable && !ended_ && answers_ < model::RetryPolicy{}.unusable;
    ended_ = ended_ || reply.gave_up || decides;
    answers_ += usable || !model::no_completion(reply.body) ? 1 : 0;
    return decides;
  }

 private:
  bool ended_ = false;
  std::uint32_t answers_ = 0;
};

// Nobody asks meanwhile: an answer in flight would be put before one that another evaluation has read already.
std::vector<storage::Lock> lock_all_asking(storage::Store& store) {
  std::set<SpecDigest> digests;
  Statement row = store.db().prepare(storage::sql::kJudgeAnswersOfModels);
  while (row.step()) {
    const auto answer = Json::parse(row.text(0)).value_or(Json());
    if (answer.is_object()) digests.insert(model::spec_digest(answer.sorted().dump()));
  }
  std::vector<storage::Lock> locks;
  for (const SpecDigest& digest : digests) locks.push_back(model::lock_asking(store, digest));
  return locks;
}

// Records that had no rating may have one now: evaluations by models, and cascades of them, count as stale until
// somebody evaluates, which scores their waiting records again (ScoreStore::kWaiting).
void reopen_failed(storage::Db& db) { db.prepare(storage::sql::kUpdateEvaluationIncompleteOfFailed).run(); }

class Import {
 public:
  Import(storage::Store& store, const ImportWorkOptions& options) : store_(store), options_(options) {}

  void take(std::uint64_t line, std::string_view text) {
    ++counts_.lines;
    bytes_ += text.size();
    answers_.push_back({line, model::read_batch_line(text)});
    if (answers_.size() >= kLinesAtOnce || bytes_ >= kBytesAtOnce) flush();
  }
  void unreadable(std::uint64_t line, const std::string& why) {
    ++counts_.lines;
    ++counts_.unreadable;
    note(line, why);
  }

  void flush() {
    if (answers_.empty()) return;
    saved_.clear();
    votes_.clear();
    save();
    storage::fault_point("import.saved");
    settle();
    answers_.clear();
    bytes_ = 0;
  }

  ImportedWork result() {
    counts_.models.assign(models_.begin(), models_.end());
    return std::move(counts_);
  }

 private:
  struct Line {
    std::uint64_t number = 0;
    model::BatchAnswer answer;
  };
  // A reply that facts/ has, and where.
  struct Saved {
    VoteKey vote;
    std::string model;
    std::uint32_t attempt = 0;
    model::Envelope envelope;
    bool fresh = false;
  };

  void note(std::uint64_t line, const std::string& what) {
    if (counts_.notes.size() < kNotes) counts_.notes.push_back({line, what});
  }

  using Known = std::map<VoteKey, std::vector<storage::SavedAnswer>>;

  // Nobody else adds answers meanwhile; a reader beside the write batch would keep the engine from growing.
  [[nodiscard]] Known look_up() const {
    Known known;
    const auto reader = store_.facts().read();
    for (const Line& line : answers_) {
      const std::optional<VoteKey>& vote = line.answer.vote;
      if (vote && !known.contains(*vote)) known.emplace(*vote, reader->answers(*vote));
    }
    return known;
  }

  // Nothing looks into a reply before it is durable.
  void save() {
    const Known known = look_up();
    const auto batch = store_.write();
    const std::int64_t now = now_ms();
    for (const Line& line : answers_) {
      const model::BatchAnswer& answer = line.answer;
      if (!answer.problem.empty()) {
        ++counts_.unreadable;
        note(line.number, answer.problem);
        continue;
      }
      const auto asked = answer.vote ? model::asked_model(batch->db(), *answer.vote) : std::nullopt;
      if (!asked) {
        ++counts_.unknown;
        note(line.number, answer.vote ? "this store did not ask that" : "custom_id is not of this program");
        continue;
      }
      models_.insert(*asked);
      if (answer.failed) {
        if (model::record_refusal(batch->db(), *answer.vote, answer.reason, answer.line)) {
          ++counts_.failed;
          ++counts_.reasons[answer.reason];
        } else {
          ++counts_.same;
        }
        continue;
      }
      saved_.push_back(place(*batch, known.at(*answer.vote), answer, *asked, now));
    }
    if (std::ranges::any_of(saved_, &Saved::fresh)) reopen_failed(batch->db());
    batch->commit();
  }

  Saved place(storage::WriteBatch& batch, const std::vector<storage::SavedAnswer>& there,
              const model::BatchAnswer& answer, const std::string& asked, std::int64_t now) {
    const VoteKey vote = answer.vote.value();
    std::uint32_t last = 0;
    const bool first = !votes_.contains(vote);
    for (const storage::SavedAnswer& known : there) {
      const model::Envelope envelope = model::decode(known.envelope);
      if (first) take(vote, envelope);
    }
    for (const storage::SavedAnswer& known : there) {
      model::Envelope envelope = model::decode(known.envelope);
      if (model::same_reply(envelope.body, answer.body)) {
        return {vote, asked, known.attempt, std::move(envelope), false};
      }
      last = known.attempt;
    }
    for (const Saved& known : saved_) {  // of this batch: not seen by the reader
      if (known.vote != vote) continue;
      if (model::same_reply(known.envelope.body, answer.body)) {
        Saved again = known;
        again.fresh = false;
        return again;
      }
      last = std::max(last, known.attempt);
    }
    Saved saved{vote, asked, model::arrived(batch.db(), vote, last, now), {}, true};
    saved.envelope = {answer.status, "file", now, 0, false, answer.body};
    const auto endpoint = model::endpoint_named(batch.db(), asked);
    if (!endpoint || endpoint->transport.counts_prompts) saved.envelope.least_tokens = answer.least_tokens;
    batch.facts().put_answer(saved.vote, saved.attempt, model::encode(saved.envelope));
    return saved;
  }

  bool take(const VoteKey& vote, const model::Envelope& envelope) {
    if (envelope.withdraws) {
      votes_[vote] = {};
      return false;
    }
    const std::size_t asked = model::asked_claims(store_.db(), vote);
    const model::ChatReply reply = model::read_chat(envelope.status, envelope.body);
    if (!model::unread(envelope.least_tokens, reply.tokens_read).empty()) return false;
    const bool usable = problem_of(reply, asked).empty();
    return votes_[vote].take(usable, envelope);
  }

  void settle() {
    if (saved_.empty()) return;
    const auto batch = store_.write();
    std::vector<model::PromptGrowth::Seen> suspect;
    for (const Saved& saved : saved_) {
      counts_.same += saved.fresh ? 0 : 1;
      if (!saved.fresh && model::settled(batch->db(), saved.vote, saved.attempt)) continue;
      const model::ChatReply reply = model::read_chat(saved.envelope.status, saved.envelope.body);
      const auto endpoint = model::endpoint_named(batch->db(), saved.model);
      const std::string_view part = model::unread(saved.envelope.least_tokens, reply.tokens_read);
      if (endpoint) remember(*endpoint, suspect);
      model::Outgoing outgoing;
      outgoing.vote = saved.vote;
      outgoing.attempt = saved.attempt;
      outgoing.reason = !part.empty() ? std::string(part)
                                      : problem_of(reply, model::asked_claims(batch->db(), saved.vote),
                                                   endpoint ? endpoint->asking.form : model::AnswerForm::kSchema);
      outgoing.fate = outgoing.reason.empty() ? model::Fate::kSaved : model::Fate::kInvalid;
      model::count_answer(outgoing, saved.envelope, endpoint);
      model::record_fate(batch->db(), outgoing);
      if (endpoint) look_at_growth(*endpoint, saved, reply, outgoing.reason.empty(), suspect);
      if (endpoint && outgoing.reason.empty() && reply.tokens_read.value_or(0) < model::kLeastContext)
        look_at_length(*endpoint, saved, suspect);
      if (!saved.fresh) continue;
      const bool decides = part.empty() && votes_[saved.vote].take(outgoing.reason.empty(), saved.envelope);
      counts_.unused += outgoing.reason.empty() && !decides ? 1 : 0;
      ++(outgoing.reason.empty() ? counts_.saved : counts_.invalid);
      if (!outgoing.reason.empty()) ++counts_.reasons[outgoing.reason];
    }
    look_beyond(batch->db(), suspect);
    take_back(*batch, suspect);
    for (const auto& [name, least] : cut_from_) model::keep_cut_from(batch->db(), name, least);
    batch->commit();
  }

  // What was counted before anything of this file.
  void remember(const model::Endpoint& endpoint, std::vector<model::PromptGrowth::Seen>& suspect) {
    model::CutPrompts& prompts = cut_[endpoint.name];
    if (prompts.remembers()) return;
    const model::Sender sender{endpoint.name, std::nullopt, model::parse_server_url(endpoint.transport.url)};
    std::vector<model::PromptGrowth::Seen> earlier = model::longest_counted(store_, sender);
    std::erase_if(earlier, [&](const auto& one) { return known_to_fit(endpoint, one.least); });
    prompts.remember(std::move(earlier), suspect);
  }

  static bool known_to_fit(const model::Endpoint& endpoint, std::uint64_t least) {
    const auto& longest = endpoint.transport.longest_prompt;
    return longest && least <= static_cast<std::uint64_t>(*longest);
  }

  // As live answers are looked at (AskRun::cut).
  void look_at_growth(const model::Endpoint& endpoint, const Saved& saved, const model::ChatReply& reply, bool usable,
                      std::vector<model::PromptGrowth::Seen>& suspect) {
    const std::uint64_t least = saved.envelope.least_tokens;
    const std::int64_t counted = reply.tokens_read.value_or(0);
    if (least == 0 || counted < model::kLeastContext || known_to_fit(endpoint, least)) return;
    Statement row = store_.db().prepare(storage::sql::kAttemptBytes);
    row.bind(Statement::Blob{saved.vote.bytes()}, saved.attempt);
    const std::uint64_t bytes = row.step() ? static_cast<std::uint64_t>(row.integer(0)) : 0;
    model::CutPrompts& prompts = cut_[endpoint.name];
    const bool cut = prompts.add({.vote = saved.vote,
                                  .attempt = saved.attempt,
                                  .least = least,
                                  .counted = counted,
                                  .usable = usable,
                                  .bytes = bytes},
                                 suspect);
    if (cut && prompts.cut_from()) cut_from_[endpoint.name] = *prompts.cut_from();
  }

  // An answer that nobody counted, to a prompt that would not have been sent.
  void look_at_length(const model::Endpoint& endpoint, const Saved& saved,
                      std::vector<model::PromptGrowth::Seen>& suspect) const {
    if (!model::known_too_long(endpoint.transport, saved.envelope.least_tokens)) return;
    suspect.push_back({.vote = saved.vote, .attempt = saved.attempt, .earlier = !saved.fresh});
  }

  // Where this file has shown a limit: what nobody counted.
  void look_beyond(storage::Db& db, std::vector<model::PromptGrowth::Seen>& suspect) const {
    for (const auto& [name, least] : cut_from_) {
      const auto endpoint = model::endpoint_named(db, name);
      if (!endpoint || endpoint->transport.longest_prompt || !endpoint->transport.counts_prompts) continue;
      const model::Sender sender{name, std::nullopt, model::parse_server_url(endpoint->transport.url)};
      for (model::PromptGrowth::Seen& one : model::uncounted_from(store_, db, sender, least)) {
        one.earlier = std::ranges::none_of(saved_, [&](const Saved& saved) {
          return saved.fresh && saved.vote == one.vote && saved.attempt == one.attempt;
        });
        suspect.push_back(std::move(one));
      }
    }
  }

  static void add(std::vector<model::PromptGrowth::Seen>& suspect, model::PromptGrowth::Seen one) {
    const bool known = std::ranges::any_of(suspect, [&](const model::PromptGrowth::Seen& other) {
      return other.vote == one.vote && other.attempt == one.attempt;
    });
    if (!known) suspect.push_back(std::move(one));
  }

  void take_back(storage::WriteBatch& batch, const std::vector<model::PromptGrowth::Seen>& found) {
    if (found.empty()) return;
    std::vector<model::PromptGrowth::Seen> suspect;
    for (const model::PromptGrowth::Seen& one : found) add(suspect, one);
    model::VoteSet votes;
    for (const model::PromptGrowth::Seen& one : suspect) {
      votes.insert(one.vote);
      if (one.earlier) {
        ++counts_.taken_back;
      } else {
        --counts_.saved;
        ++counts_.invalid;
        ++counts_.reasons[model::kUnread];
      }
    }
    if (options_.withdraw) counts_.withdrawn += options_.withdraw(store_, batch, votes);
    model::take_back(store_, batch, "file", suspect, now_ms());
  }

  storage::Store& store_;
  const ImportWorkOptions& options_;
  ImportedWork counts_;
  std::set<std::string> models_;
  std::vector<Line> answers_;
  std::vector<Saved> saved_;
  std::map<VoteKey, VoteState> votes_;
  std::map<std::string, model::CutPrompts> cut_;   // by model
  std::map<std::string, std::uint64_t> cut_from_;  // by model
  std::size_t bytes_ = 0;
};

}  // namespace

ImportedWork& ImportedWork::operator+=(const ImportedWork& other) {
  lines += other.lines;
  saved += other.saved;
  unused += other.unused;
  invalid += other.invalid;
  taken_back += other.taken_back;
  withdrawn += other.withdrawn;
  same += other.same;
  failed += other.failed;
  unknown += other.unknown;
  unreadable += other.unreadable;
  for (const auto& [reason, count] : other.reasons) reasons[reason] += count;
  for (const std::string& model : other.models) {
    if (std::find(models.begin(), models.end(), model) == models.end()) models.push_back(model);
  }
  return *this;
}

ImportedWork import_work(storage::Store& store, const std::string& path, const ImportWorkOptions& options) {
  InputBuffer input(open_bytes(path));
  const std::vector<storage::Lock> nobody_asks = lock_all_asking(store);
  input.begin();  // drops a byte order mark
  LineReader lines(input);
  Import work(store, options);
  std::string_view line;
  try {
    for (auto got = lines.next(line); got != LineReader::Result::kEnd; got = lines.next(line)) {
      if (options.interrupted && options.interrupted()) {
        throw Error(Code::kInterrupted, fmt::format("stopped at line {}", lines.number()),
                    "repeat the command: what is there is not imported twice");
      }
      if (got == LineReader::Result::kTooLong) {
        work.unreadable(lines.number(), "longer than 16 MiB");
      } else {
        work.take(lines.number(), line);
      }
      if (options.progress) options.progress(input.source().bytes_read(), std::nullopt);
    }
  } catch (const Error&) {
    work.flush();  // what came before the damage was paid for
    throw;
  }
  work.flush();
  return work.result();
}

}  // namespace residue::ingest
