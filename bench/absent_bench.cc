// What the absent attack costs beside the attack: CPU time of links with it, as a multiple of those without it.
//
//   absent_bench [--records N] [--rounds N] [--noise PERCENT]
//
// Made records of LinkCorpus, each a person of its own; three claims about each are known. "Attack" opens the index of
// the run, reads what is known and searches for the best ten, as `eval` does; "with" finds in the same searches also
// the best without the target, and the best without that one either. Both in turn, on one thread; the making of the
// index is in neither. Whom to leave out is found out once for all runs and attackers of a dataset: told apart.
// Answers are checked first: those of 200 records are those of full rankings.
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "bench/cpu_time.h"
#include "bench/link_corpus.h"
#include "bench/notes_corpus.h"
#include "ingest/files/claims.h"
#include "query/absent/absence.h"
#include "query/inputs/texts.h"
#include "query/link/dense_attack.h"
#include "query/link/linked_persons.h"
#include "query/link/linking.h"
#include "query/place/people.h"
#include "storage/catalog/lookup.h"
#include "storage/vectors.h"

namespace residue::bench {
namespace {

using namespace residue::query;

constexpr std::size_t kDimension = 384;
constexpr std::size_t kChecked = 200;

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// A vector of its own for each word; a text's is their sum, so texts with the same words are alike.
std::vector<float> vector_of(const std::string& text) {
  std::vector<float> sum(kDimension);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::uint64_t state = hash_of(7, std::string_view(text).substr(at, end - at), 0);
    for (std::size_t i = 0; i < kDimension; i += 8) {
      const std::uint64_t bits = mix(state++);
      for (std::size_t j = 0; j < 8; ++j) {
        sum[i + j] += static_cast<float>(static_cast<std::int8_t>(bits >> (8 * j) & 0xff));
      }
    }
    at = end + 1;
  }
  return sum;
}

void ingest_known(storage::Store& store, const LinkCorpus& corpus) {
  std::vector<ingest::ClaimsRow> rows(corpus.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].record = fmt::format("r-{}", i);
    rows[i].claims = {{corpus.query(i), {}, {}}, {"The patient is a person.", {}, {}}};
  }
  Rows<ingest::ClaimsRow> source(std::move(rows));
  ingest::ingest_claims(store, "d", "claims", source, {"claims", 1, 1, 0});
}

void embed(storage::Store& store, std::span<const TextId> texts) {
  for (std::size_t begin = 0; begin < texts.size(); begin += 1024) {
    const auto some = texts.subspan(begin, std::min<std::size_t>(1024, texts.size() - begin));
    const std::vector<std::string> words = load_texts(store, std::vector<TextId>(some.begin(), some.end()));
    const auto batch = store.write();
    storage::VectorWriter writer(batch->db(), "words");
    writer.begin();
    for (std::size_t i = 0; i < some.size(); ++i) writer.put(*batch, some[i], vector_of(words[i]));
    writer.end();
    batch->commit();
  }
}

class Bench {
 public:
  explicit Bench(storage::Store& store)
      : store_(store),
        texts_(store.hold_texts()),
        id_(storage::find_dataset(store.db(), "d")),
        dataset_(load_dataset(store, id_, "d", find_claim_set(store.db(), id_, "d", "claims"))),
        run_(load_run(store, dataset_, head())),
        lock_(store.lock_run(run_.id)),
        equal_(equal_originals(store, dataset_)) {
    who_seconds_ = timed([&] { absence_ = std::make_unique<Absence>(store_, dataset_, equal_); });
    known_ = sync_auxiliary(store_, dataset_, parse_protocol("bm25/first:1/claims").policy);
    std::vector<TextId> said;
    for (const auto& known : known_.known) said.insert(said.end(), known.said.begin(), known.said.end());
    embed(store_, said);
    embed(store_, candidates_of(dataset_, run_).texts);
  }

  void time(const std::string& name, std::size_t rounds, double limit) {
    const ProtocolSpec spec = parse_protocol(name);
    AllLinks with = links(spec, {absence_.get(), nullptr});
    if (with.links != links(spec, {}).links) wrong(name);
    check(spec, with);
    const People people(dataset_, equal_);
    std::vector<double> alone, beside, ratios;
    for (std::size_t round = 0; round < rounds; ++round) {
      alone.push_back(timed([&] { links(spec, {}); }));
      beside.push_back(timed([&] { links(spec, {absence_.get(), nullptr}); }));
      ratios.push_back(beside.back() / alone.back());
    }
    const double all = timed([&] { links(spec, {absence_.get(), &people}); });
    fmt::print("{:<22} {:>7.3f} s {:>7.3f} s   {:.3f}x (limit {}x); places of all records too, once: {:.3f} s\n",
               spec.linker->name, median(alone), median(beside), median(ratios), limit, all);
    std::fflush(stdout);
  }

  [[nodiscard]] double who_seconds() const { return who_seconds_; }

 private:
  RunHead head() {
    for (const RunHead& run : list_runs(store_.db(), id_)) {
      if (!run.control()) return run;
    }
    std::exit(1);
  }

  AllLinks links(const ProtocolSpec& spec, const Beside& beside) {
    return compute_links(store_, dataset_, {&run_}, known_, spec, beside, {});
  }

  [[noreturn]] static void wrong(const std::string& name) {
    fmt::print("WRONG: {} does not find what full rankings say\n", name);
    std::exit(1);
  }

  // All hits of a record.
  std::function<std::vector<index::Hit>(std::size_t)> rankings(const ProtocolSpec& spec) {
    const RunCandidates candidates = candidates_of(dataset_, run_);
    if (spec.linker->needs_vectors()) {
      const auto attack = std::make_shared<DenseAttack>(store_, dataset_, run_, known_, spec);
      return [attack](std::size_t record) { return attack->all(record).front(); };
    }
    std::shared_ptr<index::Linker> linker;
    if (spec.linker->measures_words()) {
      linker = open_rouge(store_, candidates, spec);
    } else {
      linker = open_bm25(store_, run_, candidates, spec);
    }
    return [this, linker](std::size_t record) {
      const std::string text = load_texts(store_, std::vector<TextId>{known_.known[record].query}).front();
      const std::vector<index::Query> query = {{text, dataset_.records[record].key, {}}};
      return linker->top(query, dataset_.records.size()).front();
    };
  }

  void check(const ProtocolSpec& spec, const AllLinks& found) {
    const auto ranking = rankings(spec);
    const std::size_t step = std::max<std::size_t>(1, dataset_.records.size() / kChecked);
    for (std::size_t i = 0; i < dataset_.records.size(); i += step) {
      std::vector<index::Hit> hits = ranking(i);
      const auto first_without = [&](std::size_t record) {
        const auto left_out = absence_->left_out(record);
        std::erase_if(hits, [&](const index::Hit& hit) { return std::ranges::binary_search(left_out, hit.candidate); });
        return hits.empty() ? CandidateId{} : hits.front().candidate;
      };
      const CandidateId rest = first_without(i);
      if (found.rest[i].linked != rest) wrong(spec.name());
      if (rest.value != 0 && found.third[i].linked != first_without(dataset_.position.at(RecordId{rest.value}))) {
        wrong(spec.name());
      }
    }
  }

  storage::Store& store_;
  storage::Lock texts_;
  DatasetId id_;
  DatasetView dataset_;
  RunView run_;
  storage::Lock lock_;
  std::vector<std::size_t> equal_;
  std::unique_ptr<Absence> absence_;
  AuxiliaryView known_;
  double who_seconds_ = 0;
};

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  using namespace residue;
  std::size_t records = 11'000, rounds = 9;
  double noise = 0.2;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    if (flag == "--records") records = std::strtoul(argv[i + 1], nullptr, 10);
    if (flag == "--rounds") rounds = std::strtoul(argv[i + 1], nullptr, 10);
    if (flag == "--noise") noise = std::atof(argv[i + 1]) / 100;
  }
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const bench::LinkCorpus corpus(records);
  bench::Data data;
  data.runs.emplace_back();
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    data.originals.push_back(corpus.text(i));
    data.runs[0].push_back(corpus.sanitized(i, noise));
  }
  std::string name = (std::filesystem::temp_directory_path() / "residue-absent-bench-XXXXXX").string();
  const std::filesystem::path dir = mkdtemp(name.data());
  storage::Store::create(dir);
  {
    storage::Store store(dir / ".residue");
    bench::ingest_originals(store, data);
    bench::ingest_known(store, corpus);
    bench::ingest_variants(store, "r", data.runs[0]);
    bench::Bench bench(store);
    fmt::print("{} records, {:.0f} % of tokens changed; who is left out: {:.2f} CPU s\n", corpus.size(), noise * 100,
               bench.who_seconds());
    fmt::print("{:<22} {:>9} {:>9}   medians of {} rounds\n", "linker", "attack", "with", rounds);
    bench.time("bm25/first:1/claims", rounds, 1.3);
    bench.time("dense[model=words]/first:1/claims", rounds, 1.3);
    bench.time("rouge-l/first:1/claims", rounds, 1.6);
    bench.time("rouge-l-recall/first:1/claims", rounds, 1.6);
  }
  std::filesystem::remove_all(dir);
  return 0;
}
