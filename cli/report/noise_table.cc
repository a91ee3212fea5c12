#include <cstdint>

#include "cli/report/report_tables.h"

namespace residue::cli {

Table noise_table(const query::Noise& noise) {
  Table table;
  table.columns = {{"run", Type::kText, "", true},
                   {"semantic_distance", Type::kReal, "distance"},
                   {"standard_error", Type::kReal, "error"},
                   {"records_sd", Type::kReal, "records"},
                   {"seeds_sd", Type::kReal, "seeds"},
                   {"rest_sd", Type::kReal, "rest"},
                   {"claims_sd", Type::kReal, "claims"},
                   {"votes_sd", Type::kReal, "votes"},
                   {"n", Type::kInteger, ""},
                   {"seeds", Type::kInteger, "k"},
                   {"voted_claims", Type::kInteger, "voted"},
                   {"failed", Type::kInteger, ""},
                   {"missing", Type::kInteger, ""}};
  for (const query::NoiseLine& run : noise.runs) {
    table.rows.push_back({Cell(run.run), cell(run.value), cell(run.standard_error), cell(run.records_sd),
                          cell(run.seeds_sd), cell(run.rest_sd), cell(run.claims_sd), cell(run.votes_sd),
                          cell(run.records), Cell(std::int64_t{noise.seeds}), cell(run.claims), cell(run.failed),
                          cell(run.missing)});
  }
  return table;
}

}  // namespace residue::cli
