#include "model/asking/asker.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "model/asking/answer.h"
#include "model/asking/egress.h"
#include "model/asking/flight.h"
#include "model/asking/waiting.h"
#include "storage/disk/fault.h"
#include "storage/reserve.h"

namespace residue::model {
namespace {

constexpr std::int64_t kGraceMs = 60'000;  // for what is in flight when the run has to stop
constexpr int kPollMs = 100;

std::int64_t clock_ms() {
  return std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class AskRun {
 public:
  AskRun(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Questions& questions,
         Budget& budget, const AskOptions& options)
      : store_(store),
        endpoint_(endpoint),
        questions_(questions),
        budget_(budget),
        options_(options),
        sender_{endpoint.name, dataset, parse_server_url(endpoint.transport.url)},
        key_(load_api_key(endpoint.transport)),
        http_(HttpLimits{.total_ms = std::int64_t{endpoint.transport.timeout_s} * 1000,
                         .reply_bytes = questions.reply_bytes}),
        concurrency_(endpoint.transport.concurrency),
        breaker_(options.retry.patience),
        reserve_(store.dir()) {
    for (const Question& question : questions.list) {
      Pending pending;
      pending.question = &question;
      pending.unusable = question.unusable;
      waiting_.add(pending);
    }
    if (budget.max_cost && endpoint.transport.price_in + endpoint.transport.price_out <= 0) {
      throw Error(Code::kUsage, fmt::format("--max-cost: the prices of model {} are not known", endpoint.name),
                  "give them to residue model add with --price-in and --price-out, or limit --max-calls");
    }
  }

  AskCounts run() {
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

 private:
  void stop(Error error) {
    if (stop_) return;
    stop_ = std::move(error);
    stop_by_ms_ = clock_ms() + kGraceMs;
  }

  [[noreturn]] void fail() const {
    throw Error(stop_->code(),
                fmt::format("{}; {} of {} answers are there, none of them is lost{}", stop_->what(), done_,
                            questions_.list.size(),
                            counts_.unknown > 0
                                ? fmt::format("; {} requests without a reply may have to be paid", counts_.unknown)
                                : std::string()),
                stop_->hint());
  }

  void look_whether_to_stop() {
    if (stop_) return;
    if (options_.interrupted && options_.interrupted()) {
      stop(Error(Code::kInterrupted, "stopped", "repeat the command to continue"));
    } else if (breaker_.hopeless(clock_ms())) {
      stop(Error(Code::kTryAgain,
                 fmt::format("model {} has not answered for a long time ({})", endpoint_.name, last_reason_),
                 "look whether the server runs, then repeat the command"));
    }
  }

  std::vector<Draft> next_wave() {
    std::vector<Draft> wave;
    const std::int64_t now = clock_ms();
    if (stop_ || now < pause_until_ms_) return wave;
    const std::size_t limit = breaker_.open() ? 1 : concurrency_.limit();
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
      auto pending = waiting_.next(now);
      if (!pending) break;
      Draft draft{*pending, questions_.body(pending->question->index, pending->unusable), 0};
      draft.cost = estimate(endpoint_, draft.body);
      if (budget_.max_cost && budget_.cost + reserved_ + draft.cost > *budget_.max_cost) {
        waiting_.put_back(*pending);
        if (http_.in_flight() + wave.size() > 0) break;  // what is in flight may cost less than feared
        stop(Error(Code::kTryAgain,
                   fmt::format("the next request could exceed --max-cost (spent: {:.4f} USD)", budget_.cost),
                   "repeat the command with a higher --max-cost"));
        break;
      }
      reserved_ += draft.cost;
      ++budget_.calls;
      wave.push_back(std::move(draft));
    }
    return wave;
  }

  // Does what writes; on a full disk again, once the room that was set aside is there for it, and asks no more.
  template <class Write>
  void with_room(const Write& write) {
    try {
      write();
    } catch (const Error& error) {
      if (error.code() != Code::kTryAgain || !reserve_.release()) throw;
      full_ = true;
      stop(storage::Reserve::disk_full());
      write();
    }
  }

  // Commits what became of earlier requests, and that these are about to be sent; not sent are those that come when it
  // turns out that the disk is full.
  std::vector<HttpRequest> record(std::vector<Draft> wave) {
    std::vector<HttpRequest> requests;
    if (wave.empty() && fates_.empty()) return requests;
    std::vector<std::uint32_t> attempts;
    with_room([&] {
      if (full_) put_back(wave);
      attempts.clear();
      const auto batch = store_.write();
      for (const Outgoing& fate : fates_) record_fate(batch->db(), fate);
      const std::int64_t now = now_ms();
      for (const Draft& draft : wave) {
        const Question& question = *draft.pending.question;
        attempts.push_back(
            record_sending(batch->db(), sender_, Sending{question.vote, question.last, draft.body}, now));
      }
      batch->commit();
    });
    for (std::size_t i = 0; i < wave.size(); ++i) {
      const std::uint64_t id = ++last_id_;
      flights_.emplace(id, InFlight{wave[i].pending, attempts[i], wave[i].cost});
      requests.push_back({id, endpoint_.transport.url + questions_.call, std::move(wave[i].body), key_});
    }
    fates_.clear();
    counts_.requests += requests.size();
    storage::fault_point("ask.recorded");
    return requests;
  }

  void put_back(std::vector<Draft>& wave) {
    for (Draft& draft : wave) {
      waiting_.put_back(draft.pending);
      reserved_ -= draft.cost;
      --budget_.calls;
    }
    wave.clear();
  }

  void take(std::vector<HttpReply> replies) {
    if (replies.empty()) return;
    std::vector<Fresh> turn;
    for (HttpReply& reply : replies) {
      auto flight = flights_.extract(reply.id);
      reserved_ -= flight.mapped().cost;
      turn.push_back(decide_on(std::move(reply), std::move(flight.mapped())));
    }
    save(turn);
    for (Fresh& fresh : turn) settle_one(fresh);
  }

  Fresh decide_on(HttpReply reply, InFlight flight) {
    Fresh fresh{std::move(reply), std::move(flight), {}, {}, false, false};
    Pending& pending = fresh.flight.pending;
    const Trouble trouble = fresh.reply.delivery == Delivery::kAnswered && fresh.reply.status >= 400
                                ? trouble_of(fresh.reply.body)
                                : Trouble::kNone;
    fresh.decision = decide({fresh.reply.delivery, fresh.reply.status, trouble, fresh.reply.retry_after_s},
                            pending.tries + pending.waits, options_.retry, draw_(random_));
    fresh.save = fresh.decision.action == Action::kRead;
    if (fresh.decision.action != Action::kRepeat || options_.no_repeat) return fresh;
    if (pending.tries == 0) pending.successes = breaker_.successes();
    if (++pending.tries < options_.retry.tries) return fresh;
    // Others were answered meanwhile: it is this request that cannot be.
    fresh.gave_up = breaker_.successes() > pending.successes;
    fresh.save = fresh.gave_up;
    if (!fresh.gave_up) {
      stop(Error(Code::kTryAgain, fmt::format("model {} does not answer ({})", endpoint_.name, words(fresh)),
                 "look whether the server runs, then repeat the command"));
    }
    return fresh;
  }

  void save(std::vector<Fresh>& turn) {
    for (const Fresh& fresh : turn) largest_reply_ = std::max(largest_reply_, fresh.reply.body.size());
    with_room([&] { save_now(turn); });
    storage::fault_point("ask.saved");
  }

  void save_now(std::vector<Fresh>& turn) {
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
      const Envelope envelope{fresh.gave_up ? 0 : fresh.reply.status,
                              endpoint_.transport.url,
                              now_ms(),
                              fresh.reply.ms,
                              fresh.gave_up,
                              fresh.reply.body};
      batch->facts().put_answer(fresh.flight.pending.question->vote, fresh.flight.attempt, encode(envelope));
    }
    if (batch) batch->commit();
  }

  [[nodiscard]] double cost_of(const Reading& reading) const {
    return price(endpoint_, static_cast<double>(reading.tokens_in.value_or(0)),
                 static_cast<double>(reading.tokens_out.value_or(0)));
  }
  Outgoing fate_of_answer(const Fresh& fresh) const {
    Outgoing fate = outgoing_of(fresh);
    fate.reason = fresh.reading.problem;
    fate.fate = fate.reason.empty() ? Fate::kSaved : Fate::kInvalid;
    fate.tokens_in = fresh.reading.tokens_in;
    fate.tokens_out = fresh.reading.tokens_out;
    fate.cost_nano_usd = nano_usd(cost_of(fresh.reading));
    return fate;
  }

  void settle_one(Fresh& fresh) {
    Pending& pending = fresh.flight.pending;
    Outgoing fate = outgoing_of(fresh);
    const std::int64_t now = clock_ms();
    if (fresh.decision.action == Action::kRead) {
      breaker_.succeeded();
      concurrency_.succeeded();
      if (std::exchange(silent_, false) && options_.silence) options_.silence(std::nullopt);
      if (!questions_.keep) fresh.reading = read(fresh);
      fate = fate_of_answer(fresh);
      count_answer(fresh);
    } else {
      fate.reason = words(fresh);
      last_reason_ = fate.reason;
      fate.fate = fresh.decision.action == Action::kRepeat ? Fate::kUnknown : Fate::kRefused;
      if (fresh.decision.overload) concurrency_.overloaded(now);
      if (fresh.decision.action == Action::kStop) {
        stop(refusal(fresh, endpoint_.name));
      } else if (fresh.gave_up) {
        end_unanswered(fate.reason);
      } else if (options_.no_repeat && fate.fate == Fate::kUnknown) {
        breaker_.failed(now);
        ++counts_.left;
        end_unanswered(fate.reason);
      } else {
        breaker_.failed(now);
        if (fresh.reply.delivery != Delivery::kAnswered) tell_silence(fate.reason);
        pending.due_ms = now + fresh.decision.wait.count();
        if (fresh.decision.action == Action::kWait) {
          ++pending.waits;
          pause_until_ms_ = std::max(pause_until_ms_, pending.due_ms);
        }
        waiting_.repeat(pending);
      }
    }
    (fate.fate == Fate::kSaved     ? counts_.saved
     : fate.fate == Fate::kInvalid ? counts_.invalid
     : fate.fate == Fate::kRefused ? counts_.refused
                                   : counts_.unknown) += 1;
    if (!fate.left) --budget_.calls;                                     // nobody got it
    if (fate.fate == Fate::kUnknown) budget_.cost += fresh.flight.cost;  // it may have to be paid
    fates_.push_back(std::move(fate));
  }

  void tell_silence(const std::string& reason) {
    if (std::exchange(silent_, true) || !options_.silence) return;
    options_.silence(Silence{endpoint_.name, sender_.url.host, reason, now_ms() + options_.retry.patience.count()});
  }

  [[nodiscard]] Reading read(const Fresh& fresh) const {
    const std::size_t index = fresh.flight.pending.question->index;
    if (questions_.read) return questions_.read(index, fresh.reply.status, fresh.reply.body);
    const ChatReply said = read_chat(fresh.reply.status, fresh.reply.body);
    return {said.problem.empty() ? questions_.problem(index, said) : said.problem, said.tokens_in, said.tokens_out};
  }

  void count_answer(const Fresh& fresh) {
    const double cost = cost_of(fresh.reading);
    counts_.tokens_in += static_cast<std::uint64_t>(fresh.reading.tokens_in.value_or(0));
    counts_.tokens_out += static_cast<std::uint64_t>(fresh.reading.tokens_out.value_or(0));
    counts_.cost_usd += cost;
    budget_.cost += cost;
    Pending pending = fresh.flight.pending;
    if (fresh.reading.problem.empty()) {
      ++done_;
    } else if (++pending.unusable < options_.retry.unusable) {
      pending.due_ms = 0;
      waiting_.repeat(pending);
    } else {
      end_unanswered(fresh.reading.problem);
    }
  }

  // This question is not asked again.
  void end_unanswered(const std::string& reason) {
    if (!questions_.all_or_nothing) {
      ++done_;
      return;
    }
    stop(Error(Code::kIo, fmt::format("model {} gives no usable answer: {}", endpoint_.name, reason),
               fmt::format("residue model test {} tries it; residue egress --ledger lists what was sent; repeat the "
                           "command to ask again",
                           endpoint_.name)));
  }

  [[noreturn]] void give_up_waiting() {
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

  storage::Store& store_;
  const Endpoint& endpoint_;
  const Questions& questions_;
  Budget& budget_;
  const AskOptions& options_;
  const Sender sender_;
  const std::string key_;
  HttpClient http_;
  Concurrency concurrency_;
  Breaker breaker_;
  storage::Reserve reserve_;
  bool full_ = false;  // the disk was, and the reserve is spent
  std::size_t largest_reply_ = 0;
  Waiting waiting_;
  std::unordered_map<std::uint64_t, InFlight> flights_;
  std::vector<Outgoing> fates_;  // not yet committed
  AskCounts counts_;
  std::optional<Error> stop_;
  std::int64_t stop_by_ms_ = 0, pause_until_ms_ = 0;
  std::uint64_t last_id_ = 0, done_ = 0;
  double reserved_ = 0;
  std::string last_reason_;
  bool silent_ = false;  // and said so
  std::mt19937_64 random_{std::random_device{}()};
  std::uniform_real_distribution<double> draw_{0.0, 1.0};
};

}  // namespace

AskCounts ask(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Questions& questions,
              Budget& budget, const AskOptions& options) {
  const ServerUrl url = parse_server_url(endpoint.transport.url);
  require_egress(store.db(), dataset, url);
  for (const ServerUrl& other : options.also) require_egress(store.db(), dataset, other);
  const storage::Lock in_flight = hold_in_flight(store, endpoint.name);
  return AskRun(store, endpoint, dataset, questions, budget, options).run();
}

}  // namespace residue::model
