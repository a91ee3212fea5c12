// One run of asking: which request goes out when, what is made of each reply, and when to stop.
//
//   waiting ─> draft (within the budget) ─> ledger row ─> in flight ─> reply ─> decision ─> saved, repeated or stopped
//
// asker.h has the contract, and asks for leave first; retry.h decides about each reply.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "model/asking/fresh.h"
#include "model/asking/waiting.h"
#include "model/limits/in_flight.h"
#include "model/limits/spending.h"
#include "model/server/endpoint.h"
#include "model/server/http_client.h"
#include "model/server/outage.h"
#include "model/server/retry.h"
#include "storage/reserve.h"
#include "storage/store.h"

namespace residue::model {

// All arguments must outlive it. Whoever makes one holds the lock of what is in flight (egress.h).
class AskRun {
 public:
  // Throws as check_budget() and load_api_key().
  AskRun(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, const Questions& questions,
         Budget& budget, const AskOptions& options);

  // Until every question is settled. Throws as ask().
  AskCounts run();

 private:
  void stop(Error error);
  [[noreturn]] void fail() const;
  void look_whether_to_stop();
  std::vector<Draft> next_wave();

  // Does what writes; on a full disk again, once the room that was set aside is there for it, and asks no more.
  template <class Write>
  void with_room(const Write& write);

  // Commits what became of earlier requests, and that these are about to be sent; not sent are those that come when it
  // turns out that the disk is full.
  std::vector<HttpRequest> record(std::vector<Draft> wave);
  void put_back(std::vector<Draft>& wave);

  // Longer than what the endpoint is known to read: it is not sent.
  [[nodiscard]] bool too_long(const Draft& draft) const;
  // The answers to prompts that are known to be cut, and that no server counted: nobody can have read those either.
  [[nodiscard]] std::vector<PromptGrowth::Seen> uncounted_beyond(storage::Db& db) const;
  void count_taken_back(const VoteKey& vote);
  // Whether this answer is to a prompt that was cut, by those that came before; takes back those that were as well. One
  // that cannot be used anyway is evidence all the same.
  bool cut(const Fresh& fresh, const Outgoing& fate);
  void take(std::vector<HttpReply> replies);
  Fresh decide_on(HttpReply reply, InFlight flight);
  void save(std::vector<Fresh>& turn);
  void save_now(std::vector<Fresh>& turn);
  // The cost as the server counted it, and what was set aside where it did not count.
  [[nodiscard]] std::optional<double> cost_of(const Fresh& fresh) const;
  void count_cost(double usd, bool counted);

  // Charges an answer to the budget; stops if it cost more than was set aside for it.
  void book(const Fresh& fresh);
  Outgoing fate_of_answer(const Fresh& fresh) const;
  void settle_one(Fresh& fresh);
  // The server refuses this prompt. The others go on, unless it has refused every prompt so far.
  void skip(const Fresh& fresh, const std::string& reason);
  // The endpoint did not answer; this question is asked again.
  void wait_for_endpoint(const Fresh& fresh);
  void tell_silence(const std::string& reason);
  [[nodiscard]] Reading read(const Fresh& fresh) const;
  // The tokens that the server must at least have counted; 0: its count is not looked at.
  [[nodiscard]] std::uint64_t held_against(const Fresh& fresh) const;
  void count_answer(const Fresh& fresh);

  // This question is not asked again.
  void end_unanswered(const std::string& reason);
  [[noreturn]] void give_up_waiting();

  storage::Store& store_;
  const Endpoint& endpoint_;
  const Questions& questions_;
  Budget& budget_;
  const AskOptions& options_;
  const Sender sender_;
  const std::string key_;
  const std::optional<std::int64_t> answer_tokens_;
  HttpClient http_;
  Concurrency concurrency_;
  Outage outage_;
  storage::Reserve reserve_;
  bool full_ = false;  // the disk was, and the reserve is spent
  std::size_t largest_reply_ = 0;
  Waiting waiting_;
  std::unordered_map<std::uint64_t, InFlight> flights_;
  FlightCount in_flight_;
  std::vector<Outgoing> fates_;                 // not yet committed
  std::vector<TooLong> too_long_;               // not yet in the ledger
  std::vector<PromptGrowth::Seen> taken_back_;  // not yet marked
  VoteSet used_;                                // of these, that something may have been made of
  std::optional<std::uint64_t> cut_from_;       // not yet kept with the model
  bool looked_beyond_ = false;                  // of what earlier commands found
  AskCounts counts_;
  std::optional<Error> stop_;
  std::int64_t stop_by_ms_ = 0;
  std::uint64_t last_id_ = 0;
  std::uint64_t done_ = 0;     // questions
  std::uint64_t usable_ = 0;   // of them those with an answer that can be used
  std::uint64_t skipped_ = 0;  // questions, before any answer
  double reserved_ = 0;
  std::string last_reason_;
  bool silent_ = false;  // and said so
  std::mt19937_64 random_{std::random_device{}()};
  std::uniform_real_distribution<double> draw_{0.0, 1.0};
};

}  // namespace residue::model
