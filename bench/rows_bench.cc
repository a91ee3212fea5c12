// MB/s of reading records from JSON Lines of 1.5 KB a record. RESIDUE_ROWS_MB sets the size (default 20).
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>

#include "ingest/rows/rows.h"

namespace {

void BM_RecordRows(benchmark::State& state) {
  const char* wanted = std::getenv("RESIDUE_ROWS_MB");
  const std::size_t bytes = (wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 20) << 20;
  const auto path =
      std::filesystem::temp_directory_path() / ("residue-rows-bench-" + std::to_string(::getpid()) + ".jsonl");
  std::size_t size = 0;
  std::size_t made = 0;
  {
    std::ofstream out(path);
    std::mt19937_64 random(42);
    while (size < bytes) {
      std::string text;
      while (text.size() < 1450) text += std::string(1 + random() % 9, static_cast<char>('a' + random() % 26)) + ' ';
      const std::string line =
          "{\"id\":\"r-" + std::to_string(made++) + "\",\"text\":\"" + text + "\\n\",\"label\":\"x\"}\n";
      size += line.size();
      out << line;
    }
  }
  for (auto _ : state) {
    residue::ingest::RecordSourceOptions options;
    options.path = path;
    auto source = residue::ingest::open_records(options);
    residue::ingest::RecordRow row;
    residue::ingest::RowError bad;
    std::size_t rows = 0;
    while (source->next(row, bad) == residue::ingest::RowResult::kRow) ++rows;
    if (rows != made) throw std::runtime_error("wrong number of rows");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * size));
  std::filesystem::remove(path);
}
BENCHMARK(BM_RecordRows)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
