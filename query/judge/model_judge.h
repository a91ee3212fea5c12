// A language model as a judge: each pair is asked `votes` times, the mode of the votes is its rating. It is
// asked claim by claim, or about all claims of a request at once. Then an answer is a vote on each of them, and one
// that lacks any is a vote on none.
//
//   pairs ─> votes whose answers are saved ─┐
//        └─> votes to ask ─> model/asker.h ─┴─> answers read again ─> ratings ─> mode
//
// Ratings come from saved answers alone: what is asked now is read back like what was asked long ago.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "model/asking/saved_answers.h"
#include "model/server/chat.h"
#include "query/judge/asking_judge.h"
#include "storage/store.h"

namespace residue::query {

// What was said of one pair, vote by vote.
struct PairVotes {
  std::array<std::uint32_t, 3> ratings{};  // votes that rated 1, 2, 3
  std::uint32_t failed = 0;                // votes that were answered, but never so that it can be used
  std::uint32_t unasked = 0;               // votes without an answer
  std::optional<std::uint8_t> mode;        // nothing where the votes without a rating could have changed it

  [[nodiscard]] std::uint32_t rated() const { return ratings[0] + ratings[1] + ratings[2]; }
  // No two of the votes with a rating differ.
  [[nodiscard]] bool unanimous() const {
    return std::ranges::count_if(ratings, [](auto n) { return n > 0; }) <= 1;
  }
};

// One vote on a claim, with all that was replied to it.
struct KeptVote {
  std::uint32_t sample = 0;
  std::optional<std::uint8_t> rating;     // nothing: no reply can be used
  std::vector<model::KeptReply> replies;  // in the order they came; empty: none was asked for, or none came
};

// What was rated with answers to some votes.
struct Resting {
  std::vector<std::vector<bool>> claims;  // per request
  std::uint64_t ratings = 0, checks = 0;  // how many of these, and of the checks of passages
};

// A request that asking would send now.
struct OpenRequest {
  std::size_t request = 0;
  std::optional<std::size_t> claim;  // place of the first claim in it; nothing: the canaries of the passage
  std::vector<std::string> claims;   // as they are asked about
  std::uint32_t sample = 0;
  VoteKey vote;
  std::uint32_t last = 0;  // number of the last saved attempt
};

class ModelJudge final : public AskingJudge {
 public:
  // Asks `endpoint` about texts of `dataset`.
  ModelJudge(storage::Store& store, model::Endpoint endpoint, std::string dataset, std::shared_ptr<AskSession> session);

  // Knows what was answered to a judge of this name and spec(), asks nothing. Nothing if it is no spec of a ModelJudge
  // of this version.
  static std::unique_ptr<ModelJudge> from_answers(storage::Store& store, std::string name, std::string_view spec);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }

  [[nodiscard]] std::size_t claims_per_request() const override { return claims_per_request_; }

  // As Judge says. Nothing for a claim whose answers could not be used, or were never given to a judge that asks
  // nothing. Throws as model::ask().
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override;

  // From saved answers.
  [[nodiscard]] Trust trust(const Request& request) const override;

  // From saved answers; without any, rating 3 and a sentence that says so.
  [[nodiscard]] Explanation explain(std::string_view passage, std::string_view claim) const override;
  [[nodiscard]] Explanation explain_in(const Request& request, std::size_t claim) const override;

  [[nodiscard]] NotAsked not_asked(std::span<const Request> requests) const override;
  [[nodiscard]] std::uint32_t votes() const override { return votes_; }
  [[nodiscard]] std::uint32_t checks() const override { return canaries_ ? 1 : 0; }
  [[nodiscard]] std::optional<Destination> destination() const override;

  // From saved answers alone; per request, per claim.
  [[nodiscard]] std::vector<std::vector<PairVotes>> votes_on(std::span<const Request> requests) const;

  // The votes on one claim of a request, by sample, from saved answers alone.
  [[nodiscard]] std::vector<KeptVote> kept_votes(const Request& request, std::size_t claim) const;

  // Which ratings have one of `votes` among theirs.
  [[nodiscard]] Resting resting_on(std::span<const Request> requests, const model::VoteSet& votes) const;

  // What rate() would ask, in the order of requests, claims and samples, and the body that it would send.
  [[nodiscard]] std::vector<OpenRequest> open_requests(std::span<const Request> requests) const;
  [[nodiscard]] std::string body(std::string_view passage, std::span<const std::string> claims,
                                 std::uint32_t sample) const;
  // Of what votes depend on: the name of lock_asking().
  [[nodiscard]] const SpecDigest& answer_digest() const { return digest_; }

 private:
  ModelJudge(storage::Store& store, std::string name, const std::string& answer_spec, std::uint32_t votes,
             bool canaries);

  class Size;   // of request bodies
  struct Vote;  // one sample of what is asked at once: of one pair, of a request, or the canaries of a passage
  // Those of a passage's canaries after those of its claims.
  [[nodiscard]] std::vector<Vote> votes_of(std::span<const Request> requests) const;
  [[nodiscard]] Vote canary_vote(std::string_view passage) const;
  [[nodiscard]] model::KnownAnswer look_up(const storage::Facts::Reader& answers, const Vote& vote) const;
  // One per claim; empty where no answer can be used.
  [[nodiscard]] std::vector<std::uint8_t> ratings_in(const model::KnownAnswer& known, const Vote& vote) const;
  [[nodiscard]] std::vector<std::vector<PairVotes>> tally(std::span<const Request> requests,
                                                          const std::vector<Vote>& votes) const;
  void ask(std::span<const Request> requests, const std::vector<Vote>& votes) const;

  storage::Store& store_;
  std::string name_;
  std::string spec_;
  std::string answer_spec_;  // what votes depend on
  SpecDigest digest_;        // of answer_spec_
  std::string instructions_;
  std::vector<model::ChatBodies> bodies_;  // of requests about one claim, two ...
  model::Asking asking_;
  std::size_t claims_per_request_ = 1;
  std::uint32_t votes_ = 1;
  bool canaries_ = true;
  std::optional<model::Endpoint> endpoint_;
  std::string dataset_;
  std::shared_ptr<AskSession> session_;
};

}  // namespace residue::query
