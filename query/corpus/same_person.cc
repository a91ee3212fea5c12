#include "query/corpus/same_person.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/parallel_ranges.h"
#include "query/corpus/record_rows.h"
#include "query/inputs/protocol.h"
#include "query/inputs/texts.h"
#include "query/link/linking.h"
#include "query/metric/metrics.h"
#include "storage/catalog/sources/record.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

constexpr std::size_t kFirstDepth = 4;
constexpr std::size_t kDeeper = 8;  // times as deep where that does not tell
constexpr std::uint32_t kNone = ~std::uint32_t{0};

// By record: a number of its person; kNone: nobody said, or the original is empty.
std::vector<std::uint32_t> persons_of(storage::Store& store, const DatasetView& dataset) {
  std::vector<std::uint32_t> persons(dataset.records.size(), kNone);
  std::unordered_map<std::string, std::uint32_t> numbers;
  storage::Statement rows = store.db().prepare(storage::sql::kRecordsInIdOrderWithPerson);
  rows.bind(dataset.id);
  while (rows.step()) {
    const auto found = dataset.position.find(rows.id<RecordId>(0));
    if (found == dataset.position.end() || rows.is_null(3) || dataset.records[found->second].empty) continue;
    const auto next = static_cast<std::uint32_t>(numbers.size());
    persons[found->second] = numbers.try_emplace(std::string(rows.text(3)), next).first->second;
  }
  return persons;
}

// Texts with the same terms score alike for every query.
struct Groups {
  std::vector<std::uint32_t> of;   // by record; kNone: its text is no candidate
  std::vector<std::size_t> first;  // by group, a record
  std::vector<std::int64_t> size;  // by group
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> of_person;  // by group and person
};

std::string terms_of(const std::string& text, const text::Analyzer& analyzer) {
  std::vector<std::string> terms;
  analyzer.terms(text, terms);
  std::sort(terms.begin(), terms.end());
  std::string all;
  for (const std::string& term : terms) all.append(term).push_back('\0');  // no term has a NUL
  return all;
}

Groups group(storage::Store& store, const DatasetView& dataset, const RunView& run,
             const std::vector<std::uint32_t>& persons, const text::Analyzer& analyzer) {
  const std::size_t count = dataset.records.size();
  std::vector<std::string> bags(count);
  parallel_ranges(count, 64, [&](const TaskRange& range) {
    const auto reader = store.facts().read();
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      if (run.variants[i].ok && run.variants[i].text.value != 0) {
        bags[i] = terms_of(reader->text(run.variants[i].text), analyzer);
      }
    }
  });
  Groups groups;
  groups.of.assign(count, kNone);
  std::unordered_map<std::string, std::uint32_t> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    if (!run.variants[i].ok || dataset.records[i].empty) continue;
    const auto [found, is_new] = numbers.try_emplace(std::move(bags[i]), static_cast<std::uint32_t>(numbers.size()));
    if (is_new) {
      groups.first.push_back(i);
      groups.size.push_back(0);
    }
    groups.of[i] = found->second;
    ++groups.size[found->second];
    if (persons[i] != kNone) ++groups.of_person[{found->second, persons[i]}];
  }
  return groups;
}

struct Best {
  std::int64_t tied = 0, same = 0;
};

class Search {
 public:
  Search(const DatasetView& dataset, const std::vector<std::uint32_t>& persons, const Groups& groups)
      : dataset_(dataset), persons_(persons), groups_(groups) {}

  // The best others for a record: tied 0: none. Nothing: `hits`, which are the first of more, do not tell.
  [[nodiscard]] std::optional<Best> best(std::size_t record, const std::vector<index::Hit>& hits, bool all) const {
    for (std::size_t at = 0; at < hits.size();) {
      const std::int64_t together = std::int64_t{hits[at].tied} + 1;
      std::vector<std::uint32_t> groups;
      std::int64_t known = 0;
      for (std::size_t i = at; i < hits.size() && hits[i].score == hits[at].score; ++i) {
        const std::uint32_t group = groups_.of[dataset_.position.at(RecordId{hits[i].candidate.value})];
        if (std::ranges::find(groups, group) != groups.end()) continue;
        groups.push_back(group);
        known += groups_.size[group];
      }
      if (known != together) return std::nullopt;
      const bool with_itself = std::ranges::find(groups, groups_.of[record]) != groups.end();
      if (together == 1 && with_itself) {
        ++at;
        continue;
      }
      Best best;
      best.tied = together - (with_itself ? 1 : 0);
      for (const std::uint32_t group : groups) {
        const auto found = groups_.of_person.find({group, persons_[record]});
        if (found != groups_.of_person.end()) best.same += found->second;
      }
      best.same -= with_itself ? 1 : 0;
      return best;
    }
    return all ? std::optional(Best{}) : std::nullopt;
  }

 private:
  const DatasetView& dataset_;
  const std::vector<std::uint32_t>& persons_;
  const Groups& groups_;
};

// Parts of one, pooled: small enough for sums over any number of records that fit in memory.
constexpr std::int64_t kPart = std::int64_t{1} << 24;

std::int64_t parts(std::int64_t num, std::int64_t den) { return (2 * num * kPart + den) / (2 * den); }

Contribution contribution(MetricId metric, const std::optional<PersonLink>& link) {
  Contribution c;
  c.metric = metric;
  if (!link) return c;
  c.state = link->failed ? State::kFailed : State::kValue;
  if (metric == MetricId::kSamePersonLinkage) {
    c.den = 1;
    c.num = link->failed ? kOne : fixed(link->same, link->tied);
    c.best = link->failed ? 0 : c.num;
    return c;
  }
  const std::int64_t guess = link->failed ? 0 : parts(link->of_person, link->others);
  c.den = kPart - guess;
  c.num = link->failed ? kPart : parts(link->same, link->tied) - guess;
  c.best = link->failed ? -kPart : c.num;
  return c;
}

}  // namespace

std::vector<std::optional<PersonLink>> link_persons(storage::Store& store, const DatasetView& dataset,
                                                    const RunView& run) {
  const std::size_t count = dataset.records.size();
  std::vector<std::optional<PersonLink>> links(count);
  const std::vector<std::uint32_t> persons = persons_of(store, dataset);
  std::unordered_map<std::uint32_t, std::int64_t> records, usable;  // by person
  std::int64_t texts = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool ok = run.variants[i].ok && !dataset.records[i].empty;
    texts += ok ? 1 : 0;
    if (persons[i] == kNone) continue;
    ++records[persons[i]];
    usable[persons[i]] += ok ? 1 : 0;
  }
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < count; ++i) {
    if (persons[i] == kNone || records[persons[i]] < 2) continue;
    PersonLink& link = links[i].emplace();
    link.failed = !run.variants[i].ok || usable[persons[i]] < 2;
    if (link.failed) continue;
    link.others = link.tied = texts - 1;
    link.of_person = link.same = usable[persons[i]] - 1;
    asked.push_back(i);
  }
  if (asked.empty()) return links;

  const ProtocolSpec protocol = parse_protocol(kDefaultProtocol);
  const Groups groups = group(store, dataset, run, persons, analyzer_of(protocol));
  const Search search(dataset, persons, groups);
  const auto linker = open_bm25(store, run, candidates_of(dataset, run), protocol);
  for (std::size_t depth = kFirstDepth; !asked.empty(); depth *= kDeeper) {
    std::vector<std::size_t> deeper;
    for (std::size_t begin = 0; begin < asked.size(); begin += kQueriesAtOnce) {
      const std::span some = std::span(asked).subspan(begin, std::min(kQueriesAtOnce, asked.size() - begin));
      std::unordered_map<std::uint32_t, std::size_t> query_of;  // by group
      std::vector<TextId> ids;
      for (const std::size_t i : some) {
        if (query_of.try_emplace(groups.of[i], ids.size()).second) ids.push_back(run.variants[i].text);
      }
      const std::vector<std::string> read = load_texts(store, ids);
      std::vector<index::Query> queries;
      for (const std::string& text : read) queries.push_back({text, "", {}});
      const auto hits = linker->top(queries, depth);
      for (const std::size_t i : some) {
        const auto& of_text = hits[query_of.at(groups.of[i])];
        const auto best = search.best(i, of_text, of_text.size() < depth);
        if (!best) {
          deeper.push_back(i);
        } else if (best->tied > 0) {
          links[i]->tied = best->tied;
          links[i]->same = best->same;
        }
      }
    }
    asked = std::move(deeper);
  }
  return links;
}

CorpusMetric same_person_metric(const CorpusInput& input, MetricId metric) {
  if (!input.run.aligned()) return not_applicable(input, metric, "a synthetic text is of no person");
  CorpusCache& cache = input.cache;
  if (!cache.linked || cache.linked->first != input.run.id) {
    cache.linked.emplace(input.run.id, link_persons(input.store, input.dataset, input.run));
  }
  const auto& links = cache.linked->second;
  if (std::ranges::none_of(links, [](const auto& link) { return link.has_value(); })) {
    return not_applicable(input, metric, "no person has two records");
  }
  CorpusMetric result;
  for (const auto& link : links) result.each.push_back(contribution(metric, link));
  result.rows.push_back(row_of(input, result.each));
  if (!result.rows[0].value) result.reason = "all texts are of one person";
  return result;
}

}  // namespace residue::query
