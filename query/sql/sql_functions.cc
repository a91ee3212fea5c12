#include "query/sql/sql_functions.h"

#include <fmt/format.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "query/explain/explain.h"
#include "query/explain/search.h"
#include "query/sql/functions/token_tables.h"
#include "storage/catalog/results/protocol.h"
#include "storage/catalog/sources/run.h"

namespace residue::query {
namespace {

constexpr std::size_t kMaxQueryBytes = 1U << 20U;
constexpr std::string_view kTerms = "bm25";  // the linker of bm25(): those with options have other terms or lengths

constexpr std::array<SqlFunction, 4> kFunctions = {{
    {"bm25",
     "CREATE TABLE x (rank INTEGER, record TEXT, score REAL, tied INTEGER, terms TEXT,"
     " run HIDDEN, query HIDDEN, k HIDDEN)",
     5, 2, 3, "bm25('DATASET/RUN', 'TEXT' [, k])", true, &SqlFunctions::bm25},
    {"link_terms",
     "CREATE TABLE x (term TEXT, documents INTEGER, winner_share REAL, truth_share REAL, difference REAL, winner TEXT,"
     " truth_rank INTEGER, run HIDDEN, record HIDDEN, protocol HIDDEN)",
     7, 2, 3, "link_terms('DATASET/RUN', 'RECORD' [, 'PROTOCOL'])", true, &SqlFunctions::link_terms},
    {"ngrams", "CREATE TABLE x (ngram TEXT, count INTEGER, text HIDDEN, n HIDDEN)", 2, 2, 2, "ngrams(TEXT, N)", false,
     &SqlFunctions::ngrams},
    {"tokens", "CREATE TABLE x (n INTEGER, word TEXT, term TEXT, at INTEGER, length INTEGER, text HIDDEN)", 5, 1, 1,
     "tokens(TEXT)", false, &SqlFunctions::tokens},
}};

// Not ASCII: what libraries open at their first use of such a text must be open before the rights are given up.
constexpr std::string_view kWarm = "warm \u00fcp";

struct Opened {
  std::optional<OpenRun> run;
  std::string error;  // where it could not be opened
};

struct Named {
  std::string dataset, run;
  std::set<std::string> linkers;  // of bm25: kTerms, and what its dataset was evaluated with
};

std::vector<Named> named_runs(storage::Db& db, std::string_view sql) {
  std::vector<Named> runs;
  storage::Statement all = db.prepare(storage::sql::kRunNamesOfStore);
  storage::Statement used = db.prepare(storage::sql::kProtocolLinkersOfDataset);
  while (all.step()) {
    Named named{std::string(all.text(0)), std::string(all.text(1)), {std::string(kTerms)}};
    if (sql.find(named.dataset + "/" + named.run) == std::string_view::npos) continue;
    used.bind(all.id<DatasetId>(2));
    while (used.step()) {
      const ProtocolSpec spec = parse_protocol(used.text(0));
      if (searches_terms(spec) && !spec.absent()) named.linkers.emplace(used.text(0));
    }
    runs.push_back(std::move(named));
  }
  return runs;
}

Opened open_named(storage::Store& store, const Named& named, std::string_view linker) {
  Opened opened;
  try {
    opened.run = open_run(store, named.dataset, named.run, parse_protocol(linker), IndexUse::kAsStored);
    static_cast<void>(find_hits(*opened.run, kWarm, 1));
  } catch (const Error& error) {
    opened.error = fmt::format("{}; {}", error.what(), error.hint());
  }
  return opened;
}

bool is_null(const SqlValue& value) { return std::holds_alternative<std::monostate>(value); }

const std::string& text_of(const SqlValue& value, const char* what) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) throw Error(Code::kUsage, fmt::format("{} is no text", what));
  return *text;
}

std::size_t hits_of(const SqlValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return kDefaultHits;
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || *number < 1 || *number > static_cast<std::int64_t>(kMaxHits)) {
    throw Error(Code::kUsage, fmt::format("k is a whole number from 1 to {}", kMaxHits));
  }
  return static_cast<std::size_t>(*number);
}

std::string terms_json(const std::vector<index::TermScore>& terms) {
  Json json = Json::array();
  for (const index::TermScore& term : terms) json.push_back({{"term", term.term}, {"score", term.score}});
  return json.dump();
}

}  // namespace

struct SqlFunctions::State {
  storage::Store& store;
  bool texts;
  ReadLevel level;
  std::map<std::pair<std::string, std::string>, Opened> opened;  // by 'DATASET/RUN' and linker
  std::optional<storage::ReadTransaction> snapshot;
  tbb::task_arena arena{1};  // of the calling thread only

  [[nodiscard]] const OpenRun& run(const std::string& target, const std::string& linker) const {
    const auto found = opened.find({target, linker});
    if (found != opened.end() && found->second.run) {
      if (found->second.run->run.kind == RunKind::kNone && level < ReadLevel::kOriginals) throw unreadable_run();
      return *found->second.run;
    }
    if (found != opened.end()) throw Error(Code::kNotFound, found->second.error);
    if (opened.count({target, std::string(kTerms)}) != 0) {
      throw Error(Code::kNotFound, fmt::format("run {} has no index of its present texts", target),
                  fmt::format("residue link {} --protocol {}/random:3 'any words' builds it", target, linker));
    }
    throw Error(Code::kNotFound, "no run of this name is in the store, or it does not stand in the statement",
                "write it as it is, 'DATASET/RUN'; the view runs has all names");
  }
};

SqlFunctions::SqlFunctions(storage::Store& store, std::string_view sql, bool texts, ReadLevel level)
    : state_(new State{store, texts, level, {}, {}}) {
  std::string lower(sql);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  const auto says = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (says("tokens")) static_cast<void>(token_rows(kWarm));
  if (says("ngrams")) static_cast<void>(ngram_rows(kWarm, 1));
  const auto searches = [&](const SqlFunction& one) { return one.searches && says(one.name); };
  if (std::none_of(kFunctions.begin(), kFunctions.end(), searches)) return;
  state_->snapshot.emplace(store.db());
  state_->arena.execute([&] {
    for (const Named& named : named_runs(store.db(), sql)) {
      const std::string target = named.dataset + "/" + named.run;
      for (const std::string& linker : named.linkers) {
        state_->opened.emplace(std::pair(target, linker), open_named(store, named, linker));
      }
    }
  });
}

SqlFunctions::~SqlFunctions() = default;

SqlFunctions::Rows SqlFunctions::bm25(const Arguments& arguments) {
  const OpenRun& run = state_->run(text_of(arguments[0], "the run"), std::string(kTerms));
  const std::string& text = text_of(arguments[1], "the query");
  if (text.size() > kMaxQueryBytes) throw Error(Code::kUsage, "the query is larger than 1 MiB");
  const std::size_t k = hits_of(arguments[2]);
  Rows rows;
  state_->arena.execute([&] {
    for (const TextHit& hit : find_hits(run, text, k)) {
      rows.push_back({static_cast<std::int64_t>(hit.rank), hit.key, hit.score, static_cast<std::int64_t>(hit.tied),
                      terms_json(hit.terms)});
    }
  });
  return rows;
}

SqlFunctions::Rows SqlFunctions::link_terms(const Arguments& arguments) {
  if (!state_->texts) throw Error(Code::kUsage, "its terms are words of claims: not with --no-text");
  if (state_->level < ReadLevel::kClaims) {
    throw Error(Code::kUsage, "its terms are words of claims", "--claims reads them");
  }
  const std::string& target = text_of(arguments[0], "the run");
  const std::string& key = text_of(arguments[1], "the record");
  const bool named = !std::holds_alternative<std::monostate>(arguments[2]);
  const std::string dataset = target.substr(0, target.find('/'));
  storage::Db& db = state_->store.db();
  const ProtocolSpec protocol =
      protocol_to_explain(db, dataset, named ? text_of(arguments[2], "the protocol") : std::string());
  require_bm25(protocol, "explain its links");
  const OpenRun& run = state_->run(target, protocol.linker_name());
  Rows rows;
  state_->arena.execute([&] {
    const LinkExplanation why = explain_link(state_->store, run, record_to_explain(db, dataset, key), protocol);
    const auto when = [](bool known, auto value) { return known ? SqlValue(value) : SqlValue(); };
    for (const DecidingTerm& term : why.terms) {
      rows.push_back(
          {term.term, static_cast<std::int64_t>(term.documents), when(why.winner.has_value(), term.winner),
           when(why.truth.has_value(), term.truth), when(why.truth.has_value(), term.winner - term.truth),
           why.winner ? SqlValue(why.winner->key) : SqlValue(),
           why.truth && why.truth->rank ? SqlValue(static_cast<std::int64_t>(*why.truth->rank)) : SqlValue()});
    }
  });
  return rows;
}

SqlFunctions::Rows SqlFunctions::tokens(const Arguments& arguments) {
  if (is_null(arguments[0])) return {};
  return token_rows(text_of(arguments[0], "the argument"));
}

SqlFunctions::Rows SqlFunctions::ngrams(const Arguments& arguments) {
  if (is_null(arguments[0]) || is_null(arguments[1])) return {};
  const auto* n = std::get_if<std::int64_t>(&arguments[1]);
  return ngram_rows(text_of(arguments[0], "the first argument"), n == nullptr ? 0 : *n);
}

std::span<const SqlFunction> sql_table_functions() { return kFunctions; }

}  // namespace residue::query
