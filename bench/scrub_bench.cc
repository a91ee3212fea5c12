// Megabytes per second and core of `scrub`, its surrogates, and the embedded atomizer, on the notes of examples/clinic.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ingest/atomize/atomizer.h"
#include "ingest/mask/scrub.h"
#include "ingest/method/draws.h"

namespace {

const std::vector<std::string>& notes() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> read;
    std::ifstream file(RESIDUE_SOURCE_DIR "/examples/clinic/notes.jsonl");
    for (std::string line; std::getline(file, line);) {
      read.push_back(nlohmann::json::parse(line).at("text").get<std::string>());
    }
    return read;
  }();
  return texts;
}

std::int64_t bytes_of_notes() {
  std::size_t bytes = 0;
  for (const std::string& text : notes()) bytes += text.size();
  return static_cast<std::int64_t>(bytes);
}

void BM_Scrub(benchmark::State& state) {
  using namespace residue::ingest;
  if (scrub("Dr. Ana Ruiz", {}).text != "[NAME]") state.SkipWithError("scrub gives a wrong answer");
  for (auto _ : state) {
    for (const std::string& text : notes()) benchmark::DoNotOptimize(scrub(text, {}));
  }
  state.SetBytesProcessed(state.iterations() * bytes_of_notes());
}
BENCHMARK(BM_Scrub);

void BM_Surrogates(benchmark::State& state) {
  using namespace residue::ingest;
  SanitizerSetting setting;
  setting.seed = 1;
  setting.seeded = true;
  ScrubOptions options;
  options.surrogates = std::make_shared<const DrawSource>(setting, "surrogates");
  const std::string made = scrub("Dr. Ana Ruiz", options).text.value_or("");
  if (!made.starts_with("Dr. ") || made == "Dr. Ana Ruiz") state.SkipWithError("surrogates give a wrong answer");
  for (auto _ : state) {
    for (const std::string& text : notes()) benchmark::DoNotOptimize(scrub(text, options));
  }
  state.SetBytesProcessed(state.iterations() * bytes_of_notes());
}
BENCHMARK(BM_Surrogates);

void BM_Atomize(benchmark::State& state) {
  using namespace residue::ingest;
  if (atomize("No fever or rash.").size() != 2) state.SkipWithError("atomize gives a wrong answer");
  for (auto _ : state) {
    for (const std::string& text : notes()) benchmark::DoNotOptimize(atomize(text));
  }
  state.SetBytesProcessed(state.iterations() * bytes_of_notes());
}
BENCHMARK(BM_Atomize);

}  // namespace

BENCHMARK_MAIN();
