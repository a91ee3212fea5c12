#include "query/record_input.h"

namespace residue::query {

RecordCase own_case(const DatasetView& dataset, const RunView& run, std::size_t record) {
  RecordCase facts;
  facts.empty_original = dataset.records[record].empty;
  facts.aligned = run.aligned();
  facts.failed = facts.aligned ? !run.variants[record].ok : run.lost;
  return facts;
}

std::uint64_t facts_hash(const RecordView& record, const RecordCase& facts, TextId passage) {
  InputHash hash;
  hash << static_cast<std::int64_t>(record.unit) << facts.empty_original << facts.aligned << facts.failed
       << facts.has_claims << facts.all_known << facts.attacked << facts.linked << facts.linked_own
       << (facts.rank ? *facts.rank : 0) << passage.value;
  return hash.value();
}

}  // namespace residue::query
