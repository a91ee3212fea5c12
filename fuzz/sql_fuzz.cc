// SQL of users: rows, or a refusal that is theirs; never a mistake of ours, and an end.
#include <cstdint>

#include "base/error.h"
#include "fuzz/store.h"
#include "query/sql/sql_shell.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const residue::fuzz::SmallStore small;
  const std::string sql(residue::fuzz::view(data, size));
  residue::query::SqlOptions options;
  options.store = small.store();
  options.timeout_ms = 200;
  std::size_t rows = 0;
  const residue::query::SqlSink sink{[](const auto&) {},
                                     [&](const auto&) {
                                       if (++rows > 100) throw residue::Error(residue::Code::kInterrupted, "enough");
                                     }};
  (void)residue::query::is_complete(sql);
  try {
    FUZZ_CHECK(residue::query::run_statement(options, sql, sink).next <= sql.size());
  } catch (const residue::Error& error) {
    FUZZ_CHECK(error.code() != residue::Code::kInternal && error.code() != residue::Code::kCorrupt);
  }
  return 0;
}
