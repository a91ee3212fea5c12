#include <cstdint>

#include "cli/report/report_cells.h"
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
                   {"failed", Type::kInteger, ""},
                   {"missing", Type::kInteger, ""},
                   {"seeds", Type::kInteger, "k"},
                   {"voted_claims", Type::kInteger, "voted"}};
  for (const query::NoiseLine& run : noise.runs) {
    table.rows.push_back({Cell(run.run), cell(run.value), cell(run.standard_error), cell(run.records_sd),
                          cell(run.seeds_sd), cell(run.rest_sd), cell(run.claims_sd), cell(run.votes_sd),
                          count_cell(run.n), count_cell(run.failed), count_cell(run.missing),
                          Cell(std::int64_t{noise.seeds}), cell(run.claims)});
  }
  return table;
}

}  // namespace residue::cli
