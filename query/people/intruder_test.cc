#include "query/people/intruder_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "query/inputs/texts.h"
#include "query/people/contents.h"
#include "query/people/intruder_strata.h"
#include "query/stored/current_evaluation.h"
#include "query/stored/suspected_texts.h"
#include "storage/catalog/lookup.h"

namespace residue::query {
namespace {

constexpr std::size_t kCodeLetters = 10;  // 50 bits: among 100,000 codes two are alike with probability 4e-6
constexpr std::string_view kLetters = "0123456789abcdefghjkmnpqrstvwxyz";

std::string code_of(const KeyedHash& key, std::string_view domain, std::string_view what) {
  const KeyedHash::Bytes bytes = key.of(domain, what);
  std::string code;
  for (std::size_t i = 0; i < kCodeLetters; ++i)
    code += kLetters[static_cast<unsigned char>(bytes[i]) % kLetters.size()];
  return code;
}

// The store's key is for addresses of texts.
KeyedHash key_of_codes(const storage::Store& store) {
  const KeyedHash::Bytes key = KeyedHash(store.key()).of("key of the codes of intruder tests");
  return KeyedHash(std::string_view(key.data(), key.size()));
}

std::uint64_t number(TextId id) { return static_cast<std::uint64_t>(id.value); }

void require_texts_of_somebody(const Lens& lens, const RunHead& run) {
  if (run.kind == RunKind::kSynthetic) {
    throw Error(Code::kUsage,
                fmt::format("{}/{} is synthetic: its texts are nobody's, so none is the right one", lens.dataset_name,
                            run.name),
                "an intruder test needs a run with a text for each record");
  }
  if (run.kind == RunKind::kRemoveAll) {
    throw Error(Code::kUsage, "remove-all has no texts: nothing can be found there", "name another run");
  }
}

RunHead head_of(storage::Db& db, const Lens& lens, const std::string& run) {
  const RunId id = storage::find_run(db, lens.dataset_name, run);
  for (RunHead& head : list_runs(db, lens.dataset)) {
    if (head.id == id) return std::move(head);
  }
  throw Error(Code::kInternal, "a run has no row", "please report this");
}

void draw(IntruderTest& test) {
  std::vector<std::tuple<std::uint64_t, std::string_view, std::size_t>> order;
  for (std::size_t i = 0; i < test.links.size(); ++i) {
    const RecordView& record = test.record(i);
    if (!test.links[i].attacked || record.empty || test.known.known[i].said.empty()) continue;
    if (!test.release.run.variants[i].ok) {
      ++test.failed;
    } else {
      order.emplace_back(hash_of(test.seed, record.key, 5), record.key, i);
    }
  }
  std::sort(order.begin(), order.end());
  for (const auto& [draw, key, i] : order) {
    test.targets.push_back({i, hash_of(test.seed, key, 6) % 100 < test.absent_percent});
  }
}

// Draws by two kinds of strata would leave nobody know how likely an attempt was.
StrataBy kind_of_strata(storage::Db& db, IntruderTest& test, const std::optional<StrataBy>& wanted) {
  const DrawnStrata drawn = drawn_strata(db, test);
  test.mixed = drawn.mixed;
  if (drawn.mixed) return StrataBy::kNothing;
  if (!wanted) return drawn.by.value_or(StrataBy::kNothing);
  if (*wanted != StrataBy::kNothing && drawn.by && *drawn.by != *wanted) {
    throw Error(Code::kUsage,
                fmt::format("targets of this test were drawn by the strata {}: others would leave every share unknown",
                            name_of(*drawn.by)),
                fmt::format("--strata {}, or none; or another protocol, which is another test", name_of(*drawn.by)));
  }
  return *wanted;
}

}  // namespace

IntruderTest::IntruderTest(const storage::Store& store) : store_(store), codes_(key_of_codes(store)) {}

std::string IntruderTest::target_code(std::size_t record) const {
  return code_of(codes_, "intruder target\n",
                 fmt::format("{} {}", release.run.id.value, this->record(record).id.value));
}

std::optional<std::size_t> IntruderTest::target_of(std::string_view code) const {
  for (std::size_t i = 0; i < dataset().records.size(); ++i) {
    if (target_code(i) == code) return i;
  }
  return std::nullopt;
}

std::string IntruderTest::text_code(std::size_t target, CandidateId candidate) const {
  return code_of(codes_, "intruder text\n",
                 fmt::format("{} {} {}", release.run.id.value, record(target).id.value, candidate.value));
}

std::optional<CandidateId> IntruderTest::text_of(std::size_t target, std::string_view code) const {
  for (const CandidateId candidate : release.candidates.ids) {
    if (text_code(target, candidate) == code) return candidate;
  }
  return std::nullopt;
}

const std::vector<std::size_t>& IntruderTest::equal_originals() const {
  std::call_once(equal_known_, [&] { equal_ = query::equal_originals(store_, dataset()); });
  return equal_;
}

std::vector<CandidateId> IntruderTest::left_out(std::size_t target) const {
  const std::vector<std::size_t>& equal = equal_originals();
  std::call_once(absence_known_, [&] { absence_ = std::make_unique<Absence>(store_, dataset(), equal); });
  return absence_->left_out(target);
}

std::int64_t IntruderTest::drawn_hash(std::size_t target) const {
  std::uint64_t hash = hash_bytes(content);
  for (const TextId said : known.known[target].said) hash = mix(hash ^ number(said));
  return static_cast<std::int64_t>(hash);
}

std::optional<TextId> IntruderTest::released_text(std::size_t place) const {
  const VariantView& variant = release.run.variants[place];
  return variant.ok ? std::optional(variant.text) : std::nullopt;
}

std::uint64_t IntruderTest::given(std::size_t target) const {
  return given_hash(known.known[target].said, released_text(target));
}

NamedText IntruderTest::named(std::optional<std::size_t> choice) const {
  if (!choice) return {};
  const std::optional<TextId> text = released_text(*choice);
  return text ? NamedText{NamedText::Kind::kText, *text} : NamedText{NamedText::Kind::kUnknown};
}

bool IntruderTest::names_gone(std::size_t target, bool chosen, std::optional<std::int64_t> about) const {
  if (chosen || !about) return false;
  const std::optional<NamedText> named = named_by(given(target), *about, chosen);
  return named && named->kind != NamedText::Kind::kNobody;
}

std::unique_ptr<IntruderTest> make_intruder_test(storage::Store& store, const IntruderTestOptions& options) {
  if (options.absent_percent > kMostAbsentPercent) {
    throw Error(Code::kUsage, fmt::format("at most {} % of the targets can be absent", kMostAbsentPercent),
                fmt::format("--absent {}", kAbsentPercent));
  }
  storage::Db& db = store.db();
  auto test = std::make_unique<IntruderTest>(store);
  test->seed = options.seed;
  test->absent_percent = options.absent_percent;
  RunHead head;
  {
    const storage::ReadTransaction snapshot(db);
    test->lens = find_lens(db, options.dataset, options.protocol, std::nullopt, options.sample);
    const Lens& lens = test->lens;
    require_one_release(lens);
    head = head_of(db, lens, options.run);
    require_texts_of_somebody(lens, head);
    const auto evaluated = current_evaluation(db, head.id, Tier::kLink, lens.protocol, JudgeId{});
    if (!evaluated) {
      throw Error(Code::kNotFound,
                  fmt::format("run {}/{} was not attacked under {}", options.dataset, head.name, lens.spec.name()),
                  fmt::format("residue eval {}/{} --protocol {}", options.dataset, head.name, lens.spec.name()));
    }
    test->protocol = lens.spec.name();
    test->stale = !evaluated->changed.empty();
    test->content = contents_of_lens(db, lens, head.id);
    test->release.dataset = load_dataset(store, lens.dataset, lens.dataset_name,
                                         find_claim_set(db, lens.dataset, lens.dataset_name, lens.spec.claim_set));
    test->release.run = load_evaluated_run(store, test->release.dataset, head);
    bool current = false;
    test->known = look_at_auxiliary(store, test->release.dataset, lens.spec.policy, current);
    test->links = load_links(store, test->release.dataset, head.id, lens.protocol);
  }
  test->release.candidates = candidates_of(test->release.dataset, test->release.run);
  if (options.search) {
    test->release.linker = open_index(store, options.dataset, test->release.run, test->release.candidates,
                                      parse_protocol(kDefaultProtocol), options.index);
  }
  draw(*test);
  test->by = kind_of_strata(db, *test, options.strata);
  if (test->by != StrataBy::kNothing) {
    test->strata = strata_of_records(db, *test, test->by);
    order_by_strata(test->targets, test->strata);
  }
  return test;
}

}  // namespace residue::query
