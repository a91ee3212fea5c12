#include "query/evaluate/work_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "model/asking/egress.h"
#include "model/asking/exported.h"
#include "model/asking/fresh.h"
#include "model/asking/lost_answers.h"
#include "model/asking/too_long.h"
#include "model/asking/vote_key.h"
#include "model/limits/read_whole.h"
#include "query/inputs/sort_unique.h"
#include "query/judge/cascade_judge.h"
#include "query/judge/judging.h"
#include "query/judge/model_judge.h"
#include "storage/disk/fault.h"

namespace residue::query {
namespace {

constexpr std::size_t kRequestsAtOnce = 2'000;

// A request that is written: ordered by what its texts say, not by numbers of this store, and claims of one passage
// together, which servers that keep what they read are quicker with.
struct Line {
  TextDigest passage_digest;
  std::vector<TextDigest> claim_digests;
  std::uint32_t sample = 0;
  VoteKey vote;
  std::uint32_t last = 0;
  Pair pair;
  std::vector<std::string> canaries;  // instead of the claim of the pair, or of its request
  std::size_t dataset = 0;

  friend bool operator<(const Line& a, const Line& b) {
    return std::tie(a.passage_digest, a.claim_digests, a.sample) <
           std::tie(b.passage_digest, b.claim_digests, b.sample);
  }
};

class Export {
 public:
  Export(storage::Store& store, const std::vector<Target>& targets, const ExportOptions& options)
      : store_(store), options_(options), endpoint_(endpoint_of(store, options.eval.judge)) {
    for (const Target& target : targets) {
      if (std::find(datasets_.begin(), datasets_.end(), target.dataset) == datasets_.end())
        datasets_.push_back(target.dataset);
    }
    const model::ServerUrl url = model::parse_server_url(endpoint_.transport.url);
    for (const std::string& dataset : datasets_) model::require_egress(store.db(), dataset, url);
    result_.model = endpoint_.name;
    result_.host = url.host;
    result_.loopback = url.loopback;
    const ModelJudge judge(store, endpoint_, datasets_.front(), nullptr);
    const storage::Lock nobody_asks = model::lock_asking(store, judge.answer_digest());  // what would be paid twice
    const storage::Lock texts = store.hold_texts();
    for (std::size_t i = 0; i < datasets_.size(); ++i) gather(i, targets, judge);
    if (lines_.empty()) return;
    std::sort(lines_.begin(), lines_.end());
    leave_out_too_long(url, judge);
    if (!lines_.empty()) write(url, judge);
  }

  Exported result() && { return std::move(result_); }

 private:
  static model::Endpoint endpoint_of(storage::Store& store, const std::string& judge) {
    for (const std::string_view embedded : judge_names()) {
      if (judge != embedded) continue;
      throw Error(Code::kUsage,
                  fmt::format("judge {} is computed by residue itself: there is nothing to export", judge),
                  "--judge names a model; residue model list");
    }
    if (judge.starts_with(kCascade)) {
      const std::string second = parse_cascade(judge).second;
      throw Error(
          Code::kUsage,
          fmt::format("{}: only eval knows which pairs the first judge leaves open, so a cascade cannot be exported",
                      judge),
          fmt::format("--judge {} exports all pairs; what comes back serves the cascade too", second));
    }
    return model::find_endpoint(store.db(), judge);
  }

  void stop_if_asked() const {
    if (options_.eval.interrupted && options_.eval.interrupted()) {
      throw Error(Code::kInterrupted, "stopped; no file was written", "repeat the command");
    }
  }

  void gather(std::size_t dataset, const std::vector<Target>& targets, const ModelJudge& judge) {
    std::vector<Target> own;
    for (const Target& target : targets) {
      if (target.dataset == datasets_[dataset]) own.push_back(target);
    }
    EvalPlan planned = plan(store_, own, options_.eval);
    if (!planned.exact) {
      throw Error(Code::kNotFound,
                  fmt::format("it is not known yet which texts of {} are judged: {} links are not computed",
                              datasets_[dataset], planned.counts.links),
                  "residue eval with the same words and --judge lexical computes them; then repeat the command");
    }
    const RatingMap known = known_ratings(store_.db(), register_judge(store_, judge), planned.pairs);
    std::vector<Pair> pairs;
    for (const Pair& pair : planned.pairs) {
      if (!known.contains(pair)) pairs.push_back(pair);
    }
    sort_unique(pairs);
    requests_.merge(planned.pair_requests);
    for (std::size_t begin = 0; begin < pairs.size();) {
      std::size_t end = begin;
      while (end < pairs.size() && pairs[end].passage == pairs[begin].passage) ++end;
      gather_passage(dataset, judge, std::span(pairs).subspan(begin, end - begin));
      stop_if_asked();
      begin = end;
      if (options_.eval.progress) {
        options_.eval.progress(fmt::format("looking up answers of {}", datasets_[dataset]), end, pairs.size());
      }
    }
  }

  // `pairs` of one passage.
  void gather_passage(std::size_t dataset, const ModelJudge& judge, std::span<const Pair> pairs) {
    const PairRequests asked(store_, pairs, requests_);
    // The pair at each place, or any of its request: what the line's claims are read by.
    std::vector<std::vector<Pair>> at;
    for (const Request& request : asked.list()) at.emplace_back(request.claims.size(), pairs.front());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const PairRequests::Place place = asked.places()[i];
      at[place.request][pairs[i].request.value == 0 ? place.claim : 0] = pairs[i];
    }
    const TextDigest digest = model::text_digest(asked.list().front().passage);
    for (OpenRequest& open : judge.open_requests(asked.list())) {
      if (!votes_.insert(open.vote).second) continue;  // of another dataset as well
      std::vector<TextDigest> claims;
      for (const std::string& claim : open.claims) claims.push_back(model::text_digest(claim));
      Line line{
          digest, std::move(claims), open.sample, open.vote, open.last, at[open.request][open.claim.value_or(0)], {},
          dataset};
      if (!open.claim) line.canaries = std::move(open.claims);
      lines_.push_back(std::move(line));
    }
  }

  void write(const model::ServerUrl& url, const ModelJudge& judge) {
    std::unordered_set<TextDigest> texts;
    std::vector<VoteKey> votes;
    for (const Line& line : lines_) {
      votes.push_back(line.vote);
      texts.insert(line.passage_digest);
      if (line.canaries.empty()) texts.insert(line.claim_digests.begin(), line.claim_digests.end());
      result_.before += model::awaited(store_.db(), line.vote) ? 1 : 0;
    }
    model::require_kept(store_, votes);
    result_.texts = texts.size();
    result_.requests = lines_.size();
    model::BatchWriter writer(options_.folder, options_.lines_per_file);
    for (std::size_t begin = 0; begin < lines_.size(); begin += kRequestsAtOnce) {
      stop_if_asked();
      write_some(writer, url, judge,
                 std::span(lines_).subspan(begin, std::min(kRequestsAtOnce, lines_.size() - begin)));
      if (options_.eval.progress) options_.eval.progress("writing requests", begin, lines_.size());
    }
    storage::fault_point("export.recorded");
    result_.files = writer.publish();
    for (const model::BatchFile& file : result_.files) result_.bytes += file.bytes;
  }

  // What asking would not send is not written either, and stands in the ledger as not sent.
  void leave_out_too_long(const model::ServerUrl& url, const ModelJudge& judge) {
    const model::Transport& transport = endpoint_.transport;
    if (!transport.longest_prompt && !transport.context && !transport.cut_from) return;
    std::vector<Line> kept;
    for (std::size_t begin = 0; begin < lines_.size(); begin += kRequestsAtOnce) {
      stop_if_asked();
      const auto some = std::span(lines_).subspan(begin, std::min(kRequestsAtOnce, lines_.size() - begin));
      std::vector<Body> bodies = bodies_of(judge, some);
      const auto batch = store_.write();
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (!model::known_too_long(transport, model::least_tokens_of(bodies[i].json))) {
          kept.push_back(std::move(some[i]));
          continue;
        }
        ++result_.too_long;
        const model::Sender sender{endpoint_.name, datasets_[some[i].dataset], url};
        const model::Question question{0, some[i].vote, 0, some[i].last};
        model::Pending pending;
        pending.question = &question;
        model::record_too_long(batch->db(), sender, {{pending, std::move(bodies[i].json)}}, now_ms());
      }
      batch->commit();
    }
    lines_ = std::move(kept);
  }

  struct Body {
    std::string json;
    std::vector<std::string> about;  // the texts that are somebody's
  };

  std::vector<Body> bodies_of(const ModelJudge& judge, std::span<const Line> lines) {
    std::vector<Body> bodies;
    const auto reader = store_.facts().read();
    for (const Line& line : lines) {
      std::vector<std::string> claims = line.canaries;
      if (claims.empty() && line.pair.request.value == 0) claims = {reader->text(line.pair.claim)};
      if (claims.empty()) {
        for (const TextId claim : requests_.at(line.pair.request)) claims.push_back(reader->text(claim));
      }
      const std::string passage = reader->text(line.pair.passage);
      Body& body = bodies.emplace_back(Body{judge.body(passage, claims, line.sample), {}});
      if (line.canaries.empty()) body.about = std::move(claims);
      body.about.push_back(passage);
    }
    return bodies;
  }

  // In the ledger first: what is in a file counts as sent.
  void write_some(model::BatchWriter& writer, const model::ServerUrl& url, const ModelJudge& judge,
                  std::span<const Line> lines) {
    const std::vector<Body> bodies = bodies_of(judge, lines);
    const auto batch = store_.write();
    const std::int64_t now = now_ms();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const model::Sender sender{endpoint_.name, datasets_[lines[i].dataset], url};
      const auto claims = static_cast<std::uint32_t>(lines[i].claim_digests.size());
      model::record_export(batch->db(), sender, {lines[i].vote, lines[i].last, bodies[i].json, claims}, now);
      model::record_texts(store_, *batch, lines[i].vote,
                          std::vector<std::string_view>(bodies[i].about.begin(), bodies[i].about.end()));
    }
    batch->commit();
    for (std::size_t i = 0; i < lines.size(); ++i) writer.add(model::batch_line(lines[i].vote, bodies[i].json));
  }

  storage::Store& store_;
  const ExportOptions& options_;
  const model::Endpoint endpoint_;
  std::vector<std::string> datasets_;
  RequestClaims requests_;  // of the pairs
  std::unordered_set<VoteKey> votes_;
  std::vector<Line> lines_;
  Exported result_;
};

}  // namespace

Exported export_work(storage::Store& store, const std::vector<Target>& targets, const ExportOptions& options) {
  return Export(store, targets, options).result();
}

}  // namespace residue::query
