#include "model/asking/ask_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "model/asking/answer.h"
#include "model/asking/too_long.h"
#include "model/limits/in_flight.h"
#include "model/limits/read_whole.h"
#include "model/server/chat.h"
#include "model/server/request.h"
#include "storage/disk/fault.h"
#include "storage/disk/mutant.h"

namespace residue::model {
namespace {

constexpr int kPollMs = 100;
constexpr int kBadGateway = 502;  // without a word: its server was not reached
constexpr std::uint32_t kPausesToTell = 3;
constexpr std::uint64_t kSkippedInARow = 10;  // prompts that are refused one by one, and none answered

std::int64_t clock_ms() {
  return std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

AskRun::AskRun(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Questions& questions,
               Budget& budget, const AskOptions& options)
    : store_(store),
      endpoint_(endpoint),
      questions_(questions),
      budget_(budget),
      options_(options),
      sender_{endpoint.name, dataset, receiver_of(endpoint.transport)},
      key_(load_api_key(endpoint.transport)),
      answer_tokens_(questions.answer_tokens ? questions.answer_tokens : most_answer_tokens(endpoint)),
      http_(HttpLimits{.total_ms = std::int64_t{endpoint.transport.timeout_s} * 1000,
                       .reply_bytes = questions.reply_bytes}),
      concurrency_(endpoint.transport.concurrency),
      outage_(options.retry),
      reserve_(store.dir()) {
  for (const Question& question : questions.list) {
    Pending pending;
    pending.question = &question;
    pending.unusable = question.unusable;
    waiting_.add(pending);
  }
  check_budget(endpoint, budget, questions.answer_tokens);
}

AskCounts AskRun::run() {
  while (true) {
    look_whether_to_stop();
    std::vector<HttpRequest> wave = record(next_wave());
    for (HttpRequest& request : wave) http_.start(std::move(request));
    if (http_.in_flight() == 0) {
      if (stop_) fail();
      if (waiting_.empty()) return counts_;
    }
    if (stop_ && clock_ms() > stop_by_ms_) give_up_waiting();
    take(http_.wait(kPollMs));
    if (options_.progress) options_.progress(done_, questions_.list.size());
  }
}

void AskRun::stop(Error error) {
  if (stop_) return;
  stop_ = std::move(error);
  stop_by_ms_ = clock_ms() + flight_grace_ms();
}

void AskRun::fail() const {
  const std::string withdrawn = model::words(counts_.withdrawn);
  throw Error(
      stop_->code(),
      fmt::format(
          "{}; {} of {} answers are there, none of them is lost{}{}", stop_->what(), usable_, questions_.list.size(),
          counts_.unknown > 0 ? fmt::format("; {} requests without a reply may have to be paid", counts_.unknown)
                              : std::string(),
          counts_.taken_back > 0
              ? fmt::format("; {} answers of earlier commands are not used any more: {}{}", counts_.taken_back, kUnread,
                            withdrawn.empty() ? "" : "; what was made of them is withdrawn: " + withdrawn)
              : std::string()),
      stop_->hint());
}

void AskRun::look_whether_to_stop() {
  if (stop_) return;
  if (options_.interrupted && options_.interrupted()) {
    stop(Error(Code::kInterrupted, "stopped", "repeat the command to continue"));
  } else if (outage_.hopeless(clock_ms())) {
    stop(Error(Code::kTryAgain,
               fmt::format("model {} has not answered for a long time ({})", endpoint_.name, last_reason_),
               "check that the server runs, then repeat the command"));
  }
}

std::vector<Draft> AskRun::next_wave() {
  std::vector<Draft> wave;
  const std::int64_t now = clock_ms();
  if (stop_ || now < outage_.paused_until_ms()) return wave;
  const std::size_t limit = outage_.going_on() ? 1 : concurrency_.limit();
  if (!waiting_.empty()) {
    reserve_.hold();
    // Each answer with what the engines write beside it.
    if (!reserve_.leaves(std::max(storage::Reserve::kLeast, 4 * limit * largest_reply_)))
      stop(storage::Reserve::disk_full());
  }
  while (!stop_ && http_.in_flight() + wave.size() < limit) {
    if (budget_.max_calls && budget_.calls >= *budget_.max_calls) {
      if (waiting_.empty()) break;
      stop(Error(Code::kTryAgain, fmt::format("the limit of {} calls is reached", *budget_.max_calls),
                 "repeat the command with --max-calls to ask for more"));
      break;
    }
    auto pending = outage_.going_on() ? waiting_.to_try() : waiting_.next(now);
    if (!pending) break;
    Draft draft{*pending, questions_.body(pending->question->index, pending->unusable), {}};
    draft.least_tokens = least_tokens_of(draft.body);
    if (too_long(draft)) {
      too_long_.push_back({draft.pending, std::move(draft.body)});
      ++counts_.too_long;
      end_unanswered(kTooLong);
      continue;
    }
    draft.cost = most_cost(endpoint_, draft.body.size(), answer_tokens_);
    if (budget_.max_cost && budget_.cost + reserved_ + draft.cost.sum() > *budget_.max_cost) {
      waiting_.put_back(*pending);
      if (http_.in_flight() + wave.size() > 0) break;  // what is in flight may cost less than feared
      stop(Error(Code::kTryAgain,
                 fmt::format("the next request could exceed --max-cost (spent: {:.4f} USD, set aside for one request: "
                             "{:.4f} USD)",
                             budget_.cost, draft.cost.sum()),
                 "repeat the command with a higher --max-cost"));
      break;
    }
    reserved_ += draft.cost.sum();
    ++budget_.calls;
    wave.push_back(std::move(draft));
  }
  return wave;
}

template <class Write>
void AskRun::with_room(const Write& write) {
  try {
    write();
  } catch (const Error& error) {
    if (error.code() != Code::kTryAgain || !reserve_.release()) throw;
    full_ = true;
    stop(storage::Reserve::disk_full());
    write();
  }
}

std::vector<HttpRequest> AskRun::record(std::vector<Draft> wave) {
  std::vector<HttpRequest> requests;
  if (wave.empty() && fates_.empty() && too_long_.empty() && taken_back_.empty()) return requests;
  std::vector<std::uint32_t> attempts;
  Withdrawn withdrawn;
  std::vector<PromptGrowth::Seen> uncounted;
  with_room([&] {
    if (full_) put_back(wave);
    attempts.clear();
    const auto batch = store_.write();
    for (const Outgoing& fate : fates_) record_fate(batch->db(), fate);
    const std::int64_t now = now_ms();
    uncounted = uncounted_beyond(batch->db());
    VoteSet used = used_;
    for (const PromptGrowth::Seen& one : uncounted) used.insert(one.vote);
    if (!used.empty() && options_.withdraw) withdrawn = options_.withdraw(store_, *batch, used);
    take_back(store_, *batch, endpoint_.transport.url, taken_back_, now);
    take_back(store_, *batch, endpoint_.transport.url, uncounted, now);
    if (cut_from_) keep_cut_from(batch->db(), endpoint_.name, *cut_from_);
    record_too_long(batch->db(), sender_, too_long_, now);
    for (const Draft& draft : wave) {
      const Question& question = *draft.pending.question;
      Sending sending{question.vote, question.last, draft.body};
      if (draft.cost.known) sending.most_nano_usd = nano_usd(draft.cost.sum());
      attempts.push_back(record_sending(batch->db(), sender_, sending, now));
      if (questions_.texts) record_texts(store_, *batch, question.vote, questions_.texts(question.index));
    }
    batch->commit();
  });
  for (std::size_t i = 0; i < wave.size(); ++i) {
    const std::uint64_t id = ++last_id_;
    flights_.emplace(id, InFlight{wave[i].pending, attempts[i], wave[i].cost, wave[i].least_tokens, wave[i].body.size(),
                                  clock_ms()});
    requests.push_back(request_to(endpoint_.transport, id, questions_.call, std::move(wave[i].body), key_));
  }
  in_flight_.set(flights_.size());
  fates_.clear();
  too_long_.clear();
  taken_back_.clear();
  used_.clear();
  cut_from_.reset();
  looked_beyond_ = true;
  counts_.withdrawn += withdrawn;
  for (const PromptGrowth::Seen& one : uncounted) count_taken_back(one.vote);
  counts_.requests += requests.size();
  storage::fault_point("ask.recorded");
  return requests;
}

bool AskRun::too_long(const Draft& draft) const {
  const Transport& transport = endpoint_.transport;
  // A request for vectors is about many texts, each a prompt.
  if (endpoint_.embedding) return false;
  if (known_too_long(transport, draft.least_tokens)) return true;
  if (!transport.counts_prompts || transport.longest_prompt) return false;
  const auto seen = budget_.cut.find(endpoint_.name);
  const auto now = seen == budget_.cut.end() ? std::nullopt : seen->second.cut_from();
  return now && draft.least_tokens >= *now;
}

std::vector<PromptGrowth::Seen> AskRun::uncounted_beyond(storage::Db& db) const {
  const Transport& transport = endpoint_.transport;
  const bool chat = !questions_.read && !questions_.keep && !endpoint_.embedding;
  if (!chat || !transport.counts_prompts || transport.longest_prompt) return {};
  // Once in each command, too: answers may have come otherwise since the limit was found.
  std::optional<std::uint64_t> from = cut_from_;
  if (!from && !looked_beyond_ && transport.cut_from) from = static_cast<std::uint64_t>(*transport.cut_from);
  if (!from) return {};
  std::vector<PromptGrowth::Seen> found = uncounted_from(store_, db, sender_, *from);
  std::erase_if(found, [this](const PromptGrowth::Seen& one) {
    return std::ranges::any_of(taken_back_, [&](const PromptGrowth::Seen& known) {
      return known.vote == one.vote && known.attempt == one.attempt;
    });
  });
  return found;
}

void AskRun::count_taken_back(const VoteKey& vote) {
  if (std::ranges::none_of(questions_.list, [&](const Question& question) { return question.vote == vote; })) {
    ++counts_.taken_back;
    return;
  }
  --counts_.saved;
  ++counts_.invalid;
  --usable_;
}

void AskRun::put_back(std::vector<Draft>& wave) {
  for (Draft& draft : wave) {
    waiting_.put_back(draft.pending);
    reserved_ -= draft.cost.sum();
    --budget_.calls;
  }
  wave.clear();
}

void AskRun::take(std::vector<HttpReply> replies) {
  if (replies.empty()) return;
  std::vector<Fresh> turn;
  for (HttpReply& reply : replies) {
    auto flight = flights_.extract(reply.id);
    reserved_ -= flight.mapped().cost.sum();
    turn.push_back(decide_on(std::move(reply), std::move(flight.mapped())));
  }
  save(turn);
  for (Fresh& fresh : turn) settle_one(fresh);
  in_flight_.set(flights_.size());
}

Fresh AskRun::decide_on(HttpReply reply, InFlight flight) {
  Fresh fresh{.reply = std::move(reply), .flight = std::move(flight), .decision = {}, .reading = {}};
  Pending& pending = fresh.flight.pending;
  const Trouble trouble = fresh.reply.delivery == Delivery::kAnswered && fresh.reply.status >= 400
                              ? trouble_of(fresh.reply.body)
                              : Trouble::kNone;
  const bool untouched = fresh.reply.untouched || (fresh.reply.status == kBadGateway && fresh.reply.body.empty());
  fresh.decision = decide({fresh.reply.delivery, fresh.reply.status, trouble, fresh.reply.retry_after_s, untouched},
                          pending.tries + pending.waits, options_.retry, draw_(random_));
  fresh.save = fresh.decision.action == Action::kRead;
  fresh.skipped = trouble == Trouble::kFilter ? kFiltered : kTooLongThere;
  if (fresh.decision.action != Action::kRepeat || options_.no_repeat) return fresh;
  if (pending.tries == 0) pending.successes = outage_.successes();
  if (++pending.tries < options_.retry.tries) return fresh;
  // Others were answered meanwhile: it is this request that cannot be.
  fresh.gave_up = outage_.successes() > pending.successes;
  fresh.save = fresh.gave_up;
  return fresh;
}

void AskRun::save(std::vector<Fresh>& turn) {
  for (const Fresh& fresh : turn) largest_reply_ = std::max(largest_reply_, fresh.reply.body.size());
  with_room([&] { save_now(turn); });
  storage::fault_point("ask.saved");
}

void AskRun::save_now(std::vector<Fresh>& turn) {
  std::unique_ptr<storage::WriteBatch> batch;
  for (Fresh& fresh : turn) {
    if (!fresh.save) continue;
    if (!batch) batch = store_.write();
    if (questions_.keep && !fresh.gave_up) {
      fresh.reading =
          questions_.keep(*batch, fresh.flight.pending.question->index, fresh.reply.status, fresh.reply.body);
      if (fresh.reading.problem.empty()) {
        record_fate(batch->db(), fate_of_answer(fresh));
        continue;
      }
    }
    if (storage::mutant("answer-read-before-saved") && !read(fresh).problem.empty()) continue;
    const Envelope envelope{fresh.gave_up ? 0 : fresh.reply.status,
                            endpoint_.transport.url,
                            now_ms(),
                            fresh.reply.ms,
                            fresh.gave_up,
                            fresh.reply.body,
                            held_against(fresh)};
    batch->facts().put_answer(fresh.flight.pending.question->vote, fresh.flight.attempt, encode(envelope));
  }
  if (batch) batch->commit();
}

std::optional<double> AskRun::cost_of(const Fresh& fresh) const {
  return booked_cost(endpoint_, fresh.flight.cost, fresh.reading.tokens_in, fresh.reading.tokens_out);
}

void AskRun::count_cost(double usd, bool counted) {
  counts_.cost_usd += usd;
  if (!counted) counts_.uncounted_usd += usd;
}

Outgoing AskRun::fate_of_answer(const Fresh& fresh) const {
  Outgoing fate = outgoing_of(fresh);
  fate.reason = fresh.reading.problem;
  fate.fate = fate.reason.empty() ? Fate::kSaved : Fate::kInvalid;
  fate.tokens_in = fresh.reading.tokens_in;
  fate.tokens_out = fresh.reading.tokens_out;
  if (const auto cost = cost_of(fresh)) fate.cost_nano_usd = nano_usd(*cost);
  return fate;
}

void AskRun::settle_one(Fresh& fresh) {
  Outgoing fate = outgoing_of(fresh);
  const std::int64_t now = clock_ms();
  if (fresh.decision.action == Action::kRead) {
    outage_.succeeded();
    concurrency_.succeeded();
    if (std::exchange(silent_, false) && options_.silence) options_.silence(std::nullopt);
    if (!questions_.keep) fresh.reading = read(fresh);
    fate = fate_of_answer(fresh);
    fresh.cut = cut(fresh, fate);
    if (fresh.cut) {
      fresh.reading.problem = kUnread;
      fate = fate_of_answer(fresh);
    }
    count_answer(fresh);
  } else {
    fate.reason = fresh.decision.action == Action::kSkip ? fresh.skipped : words(fresh);
    last_reason_ = fate.reason;
    fate.fate = fresh.decision.action == Action::kRepeat ? Fate::kUnknown : Fate::kRefused;
    if (fresh.decision.overload) concurrency_.overloaded(now);
    if (fresh.decision.action == Action::kStop) {
      stop(refusal(fresh, endpoint_.name));
    } else if (fresh.decision.action == Action::kSkip) {
      skip(fresh, fate.reason);
    } else if (fresh.gave_up) {
      end_unanswered(fate.reason);
    } else {
      outage_.failed(fresh.flight.sent_ms, now, fresh.decision.told, draw_(random_));
      if (options_.no_repeat && fate.fate == Fate::kUnknown) {
        ++counts_.left;
        end_unanswered(fate.reason);
      } else {
        wait_for_endpoint(fresh);
      }
    }
  }
  (fate.fate == Fate::kSaved     ? counts_.saved
   : fate.fate == Fate::kInvalid ? counts_.invalid
   : fate.fate == Fate::kRefused ? counts_.refused
                                 : counts_.unknown) += 1;
  if (!fate.left) --budget_.calls;    // nobody got it
  if (fate.fate == Fate::kUnknown) {  // it may have to be paid
    budget_.cost += fresh.flight.cost.sum();
    if (fresh.flight.cost.known) count_cost(fresh.flight.cost.sum(), false);
  }
  fates_.push_back(std::move(fate));
}

void AskRun::skip(const Fresh& fresh, const std::string& reason) {
  outage_.succeeded();
  const bool only = outage_.successes() == ++skipped_ && skipped_ >= kSkippedInARow;
  if (only && !ever_answered(store_.db(), sender_)) stop(refusal(fresh, endpoint_.name));
  end_unanswered(reason);
}

void AskRun::wait_for_endpoint(const Fresh& fresh) {
  Pending pending = fresh.flight.pending;
  pending.due_ms = clock_ms() + fresh.decision.wait.count();
  if (fresh.decision.action == Action::kWait) ++pending.waits;
  waiting_.repeat(pending);
  const bool silent = fresh.reply.delivery != Delivery::kAnswered;
  if (silent || outage_.pauses() >= kPausesToTell) tell_silence(words(fresh));
}

void AskRun::tell_silence(const std::string& reason) {
  if (std::exchange(silent_, true) || !options_.silence) return;
  options_.silence(
      Silence{endpoint_.name, receiver_name(sender_.url), reason, now_ms() + options_.retry.patience.count()});
}

Reading AskRun::read(const Fresh& fresh) const {
  const std::size_t index = fresh.flight.pending.question->index;
  if (questions_.read) return questions_.read(index, fresh.reply.status, fresh.reply.body);
  const ChatReply said = read_chat(fresh.reply.status, fresh.reply.body);
  const std::string_view part = unread(held_against(fresh), said.tokens_read);
  std::string problem = !said.problem.empty() ? said.problem
                        : !part.empty()       ? std::string(part)
                                              : questions_.problem(index, said);
  return {std::move(problem), said.tokens_in, said.tokens_out, said.tokens_read};
}

// Other interfaces look themselves: a reply to one of them spells its prompt, the other's prompts are cut to pieces.
std::uint64_t AskRun::held_against(const Fresh& fresh) const {
  const bool chat = !questions_.read && !questions_.keep;
  return chat && endpoint_.transport.counts_prompts ? fresh.flight.least_tokens : 0;
}

bool AskRun::cut(const Fresh& fresh, const Outgoing& fate) {
  const std::uint64_t least = held_against(fresh);
  const auto& longest = endpoint_.transport.longest_prompt;
  if (least == 0 || (longest && least <= static_cast<std::uint64_t>(*longest))) return false;
  const std::int64_t counted = fresh.reading.tokens_read.value_or(0);
  if (counted < kLeastContext) return false;
  CutPrompts& prompts = budget_.cut[endpoint_.name];
  std::vector<PromptGrowth::Seen> suspect;
  if (!prompts.remembers()) {
    std::vector<PromptGrowth::Seen> earlier = longest_counted(store_, sender_);
    std::erase_if(earlier, [&](const PromptGrowth::Seen& one) {
      return longest && one.least <= static_cast<std::uint64_t>(*longest);
    });
    prompts.remember(std::move(earlier), suspect);
  }
  const bool is_cut = prompts.add({.vote = fate.vote,
                                   .attempt = fate.attempt,
                                   .least = least,
                                   .counted = counted,
                                   .usable = fate.reason.empty(),
                                   .bytes = fresh.flight.bytes},
                                  suspect);
  if (is_cut) cut_from_ = prompts.cut_from();
  for (PromptGrowth::Seen& one : suspect) {
    const bool this_one = one.vote == fate.vote && one.attempt == fate.attempt;
    if (!this_one) used_.insert(one.vote);
    if (one.earlier) {
      ++counts_.taken_back;
    } else if (!this_one) {
      --counts_.saved;
      ++counts_.invalid;
      --usable_;
    }
    taken_back_.push_back(std::move(one));
  }
  return is_cut;
}

void AskRun::count_answer(const Fresh& fresh) {
  counts_.tokens_in += static_cast<std::uint64_t>(fresh.reading.tokens_in.value_or(0));
  counts_.tokens_out += static_cast<std::uint64_t>(fresh.reading.tokens_out.value_or(0));
  count_cost(cost_of(fresh).value_or(0), fresh.reading.tokens_in && fresh.reading.tokens_out);
  book(fresh);
  Pending pending = fresh.flight.pending;
  Usability& usability = budget_.usability[endpoint_.name];
  if (!questions_.all_or_nothing) usability.add(fresh.reading.problem);  // those stop sooner
  if (usability.hopeless()) {
    stop(nonsense(usability, endpoint_.name));
  }
  if (fresh.reading.problem.empty()) {
    ++done_;
    ++usable_;
  } else if (!fresh.cut && ++pending.unusable < options_.retry.unusable) {
    pending.due_ms = 0;
    waiting_.repeat(pending);
  } else {
    end_unanswered(fresh.reading.problem);
  }
}

void AskRun::book(const Fresh& fresh) {
  const MostCost& most = fresh.flight.cost;
  const double cost = cost_of(fresh).value_or(most.sum());
  budget_.cost += cost;
  if (!budget_.max_cost || cost <= most.sum()) return;
  stop(broken_limit(fresh.reading, answer_tokens_.value_or(0), budget_.cost,
                    {flights_.size(), std::max(0.0, reserved_)}, endpoint_.name));
}

void AskRun::end_unanswered(const std::string& reason) {
  if (!questions_.all_or_nothing) {
    ++done_;
    return;
  }
  stop(no_answer(reason, endpoint_.name));
}

void AskRun::give_up_waiting() {
  for (const auto& [id, flight] : flights_) {
    Outgoing fate;
    fate.vote = flight.pending.question->vote;
    fate.attempt = flight.attempt;
    fate.reason = "stopped before the reply";
    fates_.push_back(std::move(fate));
  }
  record({});
  fail();
}

}  // namespace residue::model
