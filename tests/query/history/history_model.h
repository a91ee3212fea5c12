// A store's inputs in memory, and the commands of a random history that change both alike.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/rows/rows.h"
#include "query/evaluate/evaluate.h"
#include "storage/store.h"

namespace residue::query::testing {

enum class Action : std::uint8_t {
  kRecords,       // new records and edits of old ones
  kAppend,        // new records only
  kClaims,        // arrays
  kSingleClaims,  // one claim a row
  kRun,           // a new aligned run, or edits of one
  kSynthetic,     // likewise, synthetic
  kEvaluate,
  kAtomize,
  kScrub,
  kRemoveRun,
  kGarbage,
  kReopen,
  kRestoreRun,  // the last edit of a run undone
  kAnswers,
  kLabels,
  kCorpus,     // metrics of all texts together
  kVectors,    // of claims, and what is found compared by them
  kJudgments,  // made elsewhere
  kRemoveRecord,
  kCount,
};

// All choices that a command makes follow from `seed` and the model. `fault` > 0: a child does it first and is killed
// at its `fault`-th durable step.
struct Command {
  Action action{};
  std::uint32_t seed = 0;
  std::uint32_t fault = 0;
};
std::string encode(const std::vector<Command>& commands);
std::vector<Command> decode(const std::string& text);

struct Record {
  std::string text;
  std::optional<std::string> person;
};

struct Run {
  bool synthetic = false;
  bool removes_everything = false;
  std::map<std::string, std::optional<std::string>> variants;  // by key; nothing: failed
};

// An evaluation that was asked for, of the whole dataset or of one run.
struct Asked {
  std::string protocol, judge;
  std::uint64_t sample = 0;
  auto operator<=>(const Asked&) const = default;
};

struct Dataset {
  std::map<std::string, Record> records;
  std::map<std::string, std::map<std::uint32_t, std::string>> claims;
  bool ingested_claims = false;
  bool atomized = false;
  bool scrubbed = false;
  bool embedded = false;
  std::map<std::string, Run> runs;
  std::map<std::string, Run> before;  // runs before their last edit
  std::set<Asked> asked;
  std::vector<ingest::JudgmentRow> judgments;
  bool corpus = false;  // metrics of all texts together were asked for
};

// Links that the evaluations of a history computed.
struct LinkTotals {
  std::uint64_t computed = 0, searched = 0, ranked = 0;
};

class History {
 public:
  // Nothing is stored with an empty directory: the model alone follows the commands. With the address of a server, it
  // judges where `lexical` would, three claims at once.
  explicit History(std::string dir, std::string server = "");

  void execute(const Command& command);

  // Does in the store what execute() of the last command would do, for a child: `commands` before it are known.
  static void replay(const std::string& dir, const std::vector<Command>& commands, const std::string& server);

  // Evaluates everything that was ever asked for.
  void evaluate_all();

  // A store in `dir` with the final inputs, ingested in another order, and evaluated.
  [[nodiscard]] std::unique_ptr<storage::Store> fresh(const std::string& dir, std::uint32_t seed) const;

  [[nodiscard]] storage::Store& store() { return *store_; }
  [[nodiscard]] const std::map<std::string, Dataset>& datasets() const { return datasets_; }
  [[nodiscard]] const LinkTotals& links() const { return links_; }

 private:
  void act(const Command& command);

  std::string dir_, server_;
  std::unique_ptr<storage::Store> store_;
  std::map<std::string, Dataset> datasets_;
  std::vector<Command> done_;
  LinkTotals links_;
};

}  // namespace residue::query::testing
