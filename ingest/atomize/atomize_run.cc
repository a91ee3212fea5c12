#include "ingest/atomize/atomize_run.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/claim_writer.h"
#include "ingest/batches/variant_pages.h"
#include "storage/catalog/content.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/run_claim.h"
#include "storage/catalog/sources/run_claim_set.h"
#include "storage/catalog/sources/variant.h"

namespace residue::ingest {
namespace {

using storage::Statement;

// The claims of one run's variants in one set, and the set's fingerprint.
class RunClaimWriter {
 public:
  RunClaimWriter(storage::Db& db, RunId run, std::string_view set, std::string source)
      : db_(db),
        run_(run),
        set_(set),
        source_(std::move(source)),
        claims_of_(db.prepare(storage::sql::kRunClaimsOfVariant)),
        put_(db.prepare(storage::sql::kInsertOrUpdateRunClaim)),
        erase_(db.prepare(storage::sql::kDeleteRunClaimsOfVariantBeyond)) {}

  // In a fresh batch: finds or makes the set. Throws Error{usage} if its claims were made by another maker.
  void begin() {
    Statement find = db_.prepare(storage::sql::kRunClaimSetByNameWithSource);
    if (find.bind(run_, set_).step()) {
      id_ = find.integer(0);
      content_ = Fingerprint(find.text(1));
      require_maker(set_, find.text(2), source_);
      return;
    }
    content_ = Fingerprint();
    db_.prepare(storage::sql::kInsertRunClaimSet).run(run_, set_, source_, Statement::Blob{content_.bytes()});
    id_ = db_.last_insert_id();
  }

  // `claims` become all claims of the variant, n = 1, 2, ...
  Outcome replace(storage::WriteBatch& batch, const VariantPage& variant, const std::vector<std::string>& claims) {
    const std::vector<std::int64_t> old = texts_of(variant.id);
    bool changed = old.size() > claims.size();
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const auto n = static_cast<std::int64_t>(i + 1);
      const TextId text = batch.put_text(claims[i], storage::PrivacyClass::kSanitized);
      if (i < old.size() && old[i] == text.value) continue;
      put_.run(id_, variant.id, n, text);
      if (i < old.size()) content_.remove(variant.key, old[i], n);
      content_.add(variant.key, text.value, n);
      changed = true;
    }
    if (old.size() > claims.size()) erase_.run(id_, variant.id, static_cast<std::int64_t>(claims.size()));
    for (std::size_t i = claims.size(); i < old.size(); ++i) {
      content_.remove(variant.key, old[i], static_cast<std::int64_t>(i + 1));
    }
    if (!changed) return Outcome::kSame;
    return old.empty() ? Outcome::kNew : Outcome::kChanged;
  }

  // Before the commit.
  void end() {
    db_.prepare(storage::sql::kUpdateRunClaimSetContentAndSource).run(id_, Statement::Blob{content_.bytes()}, source_);
  }

  // The set holds the claims of exactly the variants that `made_from` fingerprints.
  void finish(const Fingerprint& made_from) {
    db_.prepare(storage::sql::kUpdateRunClaimSetMadeFrom).run(id_, Statement::Blob{made_from.bytes()});
  }

  // Some variant lacks its claims: nobody may look for it here.
  void leave_unfinished() { db_.prepare(storage::sql::kUpdateRunClaimSetUnfinished).run(id_); }

  // One sentence where some have no claims.
  [[nodiscard]] std::vector<std::string> notes(std::string_view what) const {
    Statement count = db_.prepare(storage::sql::kVariantCountsOfRunLackingClaims);
    count.bind(run_, id_);
    if (!count.step() || count.integer(2) == 0) return {};
    return {fmt::format("{} of {} variants of {} have no claims in the set \"{}\"; {} failed", count.integer(2),
                        count.integer(0), what, set_, count.integer(1))};
  }

 private:
  // In order of n, which has no gaps.
  std::vector<std::int64_t> texts_of(VariantId variant) {
    std::vector<std::int64_t> texts;
    claims_of_.bind(id_, variant);
    while (claims_of_.step()) texts.push_back(claims_of_.integer(1));
    claims_of_.reset();
    return texts;
  }

  storage::Db& db_;
  const RunId run_;
  const std::string set_;
  const std::string source_;
  std::int64_t id_ = 0;
  Fingerprint content_;
  Statement claims_of_, put_, erase_;
};

std::vector<std::string_view> views_of(const std::vector<VariantPage>& variants) {
  std::vector<std::string_view> views;
  views.reserve(variants.size());
  for (const VariantPage& variant : variants) views.push_back(variant.text);
  return views;
}

void refuse_controls(std::string_view dataset, std::string_view run) {
  if (!is_control(run)) return;
  const bool none = run == "none";
  throw Error(Code::kUsage,
              none ? "the control \"none\" publishes the originals: its claims are those of the dataset"
                   : "the control \"remove-all\" publishes nothing: it has no claims",
              none ? fmt::format("residue atomize {}", dataset) : "leave it out");
}

}  // namespace

IngestResult atomize_run(storage::Store& store, std::string_view dataset, std::string_view run, std::string_view set,
                         unsigned jobs, const IngestOptions& options) {
  SentenceMaker maker(jobs);
  return atomize_run(store, dataset, run, set, maker, options);
}

IngestResult atomize_run(storage::Store& store, std::string_view dataset, std::string_view run, std::string_view set,
                         ClaimMaker& maker, const IngestOptions& options) {
  check_name("claim set", set);
  refuse_controls(dataset, run);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  VariantPages pages(store, dataset, run);
  RunClaimWriter writer(store.db(), pages.run(), set, maker.source());
  // While it is there, the set is incomplete.
  const std::string target = fmt::format("claims {}/{}/{}", dataset, run, set);
  const SourceIdentity work{"(atomize)", 0, 0, 0};
  IngestPosition progress;
  Fingerprint made_from;  // of what was read, whatever others write meanwhile
  if (storage::Statement meant = store.db().prepare(storage::sql::kRunTextsAreMeant);
      meant.bind(pages.run()).step() && meant.integer(0) != 0) {
    made_from.add(storage::kTextsAreMeant, 1);
  }
  std::vector<VariantPage> variants;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "variants");
    more = pages.next(variants);
    const auto claims = maker.make(views_of(variants));
    const IngestPosition before = progress;
    const auto batch = store.write();
    writer.begin();
    maker.record(batch->db());
    for (std::size_t i = 0; i < variants.size(); ++i) {
      made_from.add(variants[i].key, storage::variant_number(variants[i].text_id, variants[i].spans_id));
      const Outcome outcome = writer.replace(*batch, variants[i], claims[i].value_or(std::vector<std::string>()));
      if (claims[i]) {
        progress.counts.add(outcome);
      } else {
        ++progress.counts.bad;
      }
    }
    writer.end();
    progress.rows += variants.size();
    progress.lines = progress.rows;
    if (more) {
      save_progress(batch->db(), target, work, progress);
    } else {
      if (progress.counts.bad == 0 && maker.withdrawn() == 0) {
        writer.finish(made_from);
      } else {
        writer.leave_unfinished();
      }
      erase_progress(batch->db(), target, work.path);
    }
    commit(store, *batch, before, "variants");
    if (options.progress) options.progress(progress.rows, pages.total());
  }
  IngestResult result;
  result.counts = progress.counts;
  const std::string what = fmt::format("{}/{}", dataset, run);
  if (progress.counts.bad > 0) {
    result.notes.push_back(
        fmt::format("{} of {} variants of {} have no claims: {}; attackers whose claims vote could not find them, so "
                    "they refuse this claim set",
                    progress.counts.bad, progress.rows, what, maker.failures()));
  }
  for (std::string& note : writer.notes(what)) result.notes.push_back(std::move(note));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace residue::ingest
