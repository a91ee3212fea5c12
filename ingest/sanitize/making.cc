#include "ingest/sanitize/making.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

#include "base/error.h"
#include "ingest/batches/batch.h"
#include "ingest/method/asking_sanitizer.h"
#include "ingest/method/span_masking.h"
#include "storage/catalog/sources/program_answer.h"
#include "storage/catalog/sources/run.h"

namespace residue::ingest {
namespace {

using Clock = std::chrono::steady_clock;
using storage::Statement;

// Of answers that cannot be had again: how many records are asked about together.
constexpr std::size_t kAskedTogether = 4096;
constexpr std::size_t kAskedBytes = 16U << 20U;

// What failed in an earlier round says so once.
std::string since_round(const std::string& error, std::uint32_t round) {
  return error.starts_with("in round ") ? error : fmt::format("in round {}: {}", round, error);
}

}  // namespace

std::vector<SanitizeOutput> sanitized(const Sanitizer& sanitizer, const std::vector<RecordText>& records,
                                      unsigned jobs) {
  std::vector<SanitizeOutput> outputs(records.size());
  std::vector<SanitizeInput> inputs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!records[i].error.empty()) {
      outputs[i].error = records[i].error;
    } else if (records[i].text.empty()) {
      outputs[i].text = std::string();
    } else {
      inputs.push_back({records[i].key, records[i].text, records[i].person});
      places.push_back(i);
    }
  }
  std::vector<SanitizeOutput> made(inputs.size());
  sanitizer.sanitize_all(inputs, made, jobs);
  for (std::size_t i = 0; i < made.size(); ++i) outputs[places[i]] = std::move(made[i]);
  return outputs;
}

class Making::Batch {
 public:
  explicit Batch(Making& making) : before(making.progress_), writing(making.store_.write()) {
    making.writer_.begin(making.pages_.dataset());
  }
  const IngestPosition before;
  const std::unique_ptr<storage::WriteBatch> writing;
};

// Records that will be asked about.
class Making::Waiting {
 public:
  void add(RecordText record) {
    bytes_ += record.text.size();
    records_.push_back(std::move(record));
  }
  [[nodiscard]] bool full() const { return records_.size() >= kAskedTogether || bytes_ >= kAskedBytes; }
  std::vector<RecordText> take() {
    bytes_ = 0;
    return std::exchange(records_, {});
  }

 private:
  std::vector<RecordText> records_;
  std::size_t bytes_ = 0;
};

// Answers that come one by one, of records that are asked about together.
class Making::Answers final : public OutputSink {
 public:
  Answers(Making& making, const std::vector<RecordText>& records, std::vector<std::size_t> places)
      : making_(making), records_(records), places_(std::move(places)), told_(records.size(), kNothing) {}

  void take(std::size_t input, SanitizeOutput output) override { keep(places_[input], std::move(output)); }
  void wait() override {
    if (making_.any_text_ && !fresh_.empty() && Clock::now() - stored_ >= making_.keep_every_) store();
  }

  void keep(std::size_t record, SanitizeOutput output) {
    making_.any_text_ = making_.any_text_ || (output.text && !records_[record].text.empty());
    fresh_.insert_or_assign(record, std::move(output));
    wait();
  }

  // All that is not yet stored.
  void store() {
    if (storing_) return;  // it has failed, or is at it
    storing_ = true;
    const Batch batch(making_);
    std::uint64_t rows = 0;
    for (const auto& [record, output] : fresh_) {
      const Outcome outcome = making_.put(batch, records_[record], output);
      const Told before = std::exchange(told_[record], making_.is_same(records_[record], output) ? kAsItWas : kOther);
      making_.unchanged_ += (told_[record] == kAsItWas ? 1 : 0) - (before == kAsItWas ? 1 : 0);
      if (before != kNothing) continue;  // answered twice, and counted
      making_.progress_.counts.add(outcome);
      ++rows;
    }
    making_.finish(batch, rows, false);
    fresh_.clear();
    stored_ = Clock::now();
    storing_ = false;
  }

  [[nodiscard]] bool has_text() const override { return making_.any_text_; }

  // Nothing is stored of a program that has never answered: what was there from another one stays.
  void rescue() {
    if (making_.any_text_ && !fresh_.empty()) store();
  }

 private:
  enum Told : std::uint8_t { kNothing, kAsItWas, kOther };  // what is stored of a record

  Making& making_;
  const std::vector<RecordText>& records_;
  const std::vector<std::size_t> places_;  // of the inputs among the records
  std::map<std::size_t, SanitizeOutput> fresh_;
  std::vector<Told> told_;
  bool storing_ = false;
  Clock::time_point stored_ = Clock::now();
};

Making::Making(storage::Store& store, std::string_view dataset, const RunOfRound& run, const RunSpec& spec,
               Sanitizer& sanitizer, std::chrono::milliseconds keep_every, const IngestOptions& options)
    : store_(store),
      run_(run),
      sanitizer_(sanitizer),
      keep_every_(keep_every),
      options_(options),
      pages_(store, dataset, run.before),
      writer_(store.db(), run.name, spec, false),
      made_of_(store, pages_.dataset(), dataset, run.name, sanitizer),
      target_(fmt::format("run {}/{}", dataset, run.name)),
      asked_(sanitizer.asked()),
      answered_(store.db().prepare(storage::sql::kInsertOrUpdateProgramAnswer)) {}

void Making::make(unsigned jobs) {
  const auto is_current = [this](const RecordText& record) {
    const bool current = made_of_.is_current(record);
    if (current) {
      progress_.counts.add(Outcome::kSame);
      ++progress_.rows;
    }
    return current;
  };
  std::vector<RecordText> records;
  for (bool more = true; more;) {
    more = next(records, is_current);
    if (more && records.empty()) continue;
    const std::vector<SanitizeOutput> outputs = sanitized(sanitizer_, records, jobs);
    const Batch batch(*this);
    for (std::size_t i = 0; i < records.size(); ++i) {
      progress_.counts.add(put(batch, records[i], outputs[i]));
      unchanged_ += is_same(records[i], outputs[i]) ? 1 : 0;
      made_of_.keep(writer_.id(), records[i]);
    }
    finish(batch, records.size(), !more);
  }
  unchanged_ += made_of_.unchanged();
}

void Making::ask() {
  Statement any = store_.db().prepare(storage::sql::kProgramAnswerAnyOfProgram);
  any_text_ = any.bind(pages_.dataset(), run_.name, Statement::Blob{asked_}).step();
  any.reset();
  Statement known = store_.db().prepare(storage::sql::kProgramAnswerOfRecordWithText);
  Waiting open, failed;
  std::vector<RecordText> records;
  for (bool more = true; more;) {
    more = next(records);
    for (RecordText& record : records) {
      const bool there =
          known.bind(pages_.dataset(), run_.name, record.id, record.text_id, Statement::Blob{asked_}).step();
      const auto text = there ? known.integer_or_null(0) : std::nullopt;
      if (text && !known.is_null(1) && known.integer(1) != 0) {
        progress_.counts.add(Outcome::kSame);
        ++progress_.rows;
        if (TextId{*text} == record.text_id && !is_blank(record.text)) ++unchanged_;
      } else {
        (there && !text ? failed : open).add(std::move(record));
      }
      known.reset();
    }
    if (!more || open.full()) ask_about(open.take());
    if (!more || failed.full()) ask_about(failed.take());
  }
  const Batch batch(*this);
  finish(batch, 0, true);
}

bool Making::next(std::vector<RecordText>& records, const RecordPages::Done& done) {
  if (options_.interrupted && options_.interrupted()) fail_interrupted(progress_, "records");
  const bool more = pages_.next(records, done);
  for (RecordText& record : records) {
    if (!record.error.empty()) record.error = since_round(record.error, run_.round - 1);
  }
  return more;
}

void Making::ask_about(const std::vector<RecordText>& records) {
  if (records.empty()) return;
  std::vector<SanitizeInput> inputs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].text.empty()) continue;
    inputs.push_back({records[i].key, records[i].text, records[i].person});
    places.push_back(i);
  }
  Answers answers(*this, records, std::move(places));
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].text.empty()) answers.keep(i, {std::string(), std::nullopt, {}});
  }
  try {
    sanitizer_.sanitize_each(inputs, answers);
  } catch (...) {
    answers.rescue();
    if (options_.interrupted && options_.interrupted()) fail_interrupted(progress_, "records");
    throw;
  }
  check_worth(inputs.size());
  answers.store();
}

void Making::check_worth(std::size_t asked) {
  if (any_text_ || asked == 0) return;
  Statement others = store_.db().prepare(storage::sql::kProgramAnswerAnyOfOtherProgram);
  if (!others.bind(pages_.dataset(), run_.name, Statement::Blob{asked_}).step()) return;
  throw Error(
      Code::kBadInput,
      fmt::format("the command has given no text for any of {} records: the run keeps those of another one", asked),
      "try the command by itself, or name another run with --run");
}

Outcome Making::put(const Batch& batch, const RecordText& record, const SanitizeOutput& output) {
  Outcome outcome = Outcome::kNew;
  const auto table = output.substitutions ? output.substitutions : substitutions_of(output, record.text);
  // Spans of a later round are of the round before, not of the record.
  const auto spans = run_.before ? std::nullopt : span_table(output);
  static_cast<void>(writer_.put(*batch.writing, record.id, record.text_id, record.key,
                                {output.text, output.error, table, spans}, outcome));
  if (!asked_.empty() && !record.text.empty()) {
    answered_.run(writer_.id(), record.id, record.text_id, Statement::Blob{asked_});
  }
  return outcome;
}

bool Making::is_same(const RecordText& record, const SanitizeOutput& output) {
  return !is_blank(record.text) && output.text == record.text;
}

void Making::finish(const Batch& batch, std::uint64_t rows, bool last) {
  writer_.end();
  storage::Db& db = batch.writing->db();
  if (AskingSanitizer* asking = sanitizer_.asking()) asking->keep(db, writer_.id());
  progress_.rows += rows;
  progress_.lines = progress_.rows;
  const SourceIdentity work{"(sanitize)", 0, 0, 0};
  if (last) {
    erase_progress(db, target_, work.path);
    // What the texts were made from, round by round, is what the first round was made from.
    db.prepare(storage::sql::kUpdateRunMadeFromDatasetOrRun).run(pages_.dataset(), run_.name, run_.before);
  } else {
    save_progress(db, target_, work, progress_);
  }
  commit(store_, *batch.writing, batch.before, "records");
  if (options_.progress) options_.progress(progress_.rows, pages_.total());
}

}  // namespace residue::ingest
