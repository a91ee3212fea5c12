// Dense linking against the machine's single-precision matrix product, in one run on one thread.
//
//   bench/dense_bench [--vectors 20000] [--dimension 384] [--k 10] [--rounds 3]
//
// Vectors are drawn at random around 500 centres, a twentieth of them twice, so that there are near ones and ties. A
// sample of the answers is compared with the definition before anything is told. Rates: 2 * vectors^2 * dimension
// operations per CPU second, the median of the rounds; the peer
// (OpenBLAS) computes the product alone, in squares of 2,000 that stay in the cache.
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "index/dense/dense_linker.h"
#include "tests/index/dense/dense_oracle.h"
#ifdef RESIDUE_PEER
#include "bench/dense_peer.h"
#endif

namespace residue::index {
namespace {

struct Flags {
  std::size_t vectors = 20'000;
  std::size_t dimension = 384;
  std::size_t k = 10;
  std::size_t rounds = 3;
};

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Sum of four uniform draws: nearly normal, the same on every machine.
float draw(std::uint64_t seed) {
  const std::uint64_t bits = mix(seed);
  float sum = 0;
  for (unsigned i = 0; i < 4; ++i) sum += static_cast<float>((bits >> (16 * i)) & 0xFFFFU) / 65536.0F;
  return sum - 2.0F;
}

std::vector<float> draw_vectors(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  std::vector<float> values(count * dimension);
  for (std::size_t v = 0; v < count; ++v) {
    const std::size_t own = v % 20 == 19 ? v - 1 : v;
    for (std::size_t i = 0; i < dimension; ++i) {
      values[v * dimension + i] = draw(mix(own % 500) + i) + draw(mix(own ^ seed) + i);
    }
  }
  return values;
}

template <class Work>
double median_s(std::size_t rounds, const Work& work) {
  std::vector<double> times;
  for (std::size_t i = 0; i < rounds; ++i) {
    const double start = cpu_s();
    work();
    times.push_back(cpu_s() - start);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int run(const Flags& flags) {
  const oneapi::tbb::global_control one(oneapi::tbb::global_control::max_allowed_parallelism, 1);
  const std::vector<float> candidates = draw_vectors(flags.vectors, flags.dimension, 1);
  const std::vector<float> queries = draw_vectors(flags.vectors, flags.dimension, 2);
  std::vector<std::string> keys;
  std::vector<CandidateId> ids;
  std::vector<Candidate> table;
  for (std::size_t i = 0; i < flags.vectors; ++i) keys.push_back(fmt::format("r-{}", i));
  for (std::size_t i = 0; i < flags.vectors; ++i) {
    ids.push_back({static_cast<std::int64_t>(i) + 1});
    table.push_back({ids[i], keys[i]});
  }
  const auto shared = std::make_shared<const Candidates>(table);
  const double operations = 2.0 * static_cast<double>(flags.vectors) * static_cast<double>(flags.vectors) *
                            static_cast<double>(flags.dimension);
  const std::size_t sample = std::min<std::size_t>(200, flags.vectors);
  const auto expected = dense_oracle(*shared, ids, candidates, flags.dimension,
                                     std::span(queries).first(sample * flags.dimension), flags.k);
  double best = 0;
  for (const DenseKernel& kernel : dense_kernels()) {
    const double start = cpu_s();
    const DenseIndex index(shared, ids, candidates, flags.dimension, &kernel);
    const double build_s = cpu_s() - start;
    std::vector<std::vector<Hit>> hits;
    const bool last = &kernel == &dense_kernels().back();
    const double s = median_s(last ? flags.rounds : 1, [&] { hits = index.top(queries, flags.k); });
    for (std::size_t i = 0; i < sample; ++i) {
      if (hits[i] == expected[i]) continue;
      fmt::print(stderr, "{}: query {} has other hits than the definition\n", name_of(kernel.simd), i);
      return 1;
    }
    best = operations / s;
    fmt::print("{:<19} {:6.2f} s {:7.1f} GFLOP/s  index {:.3f} s  ({} sampled queries agree with the definition)\n",
               name_of(kernel.simd), s, best * 1e-9, build_s, sample);
  }
#ifdef RESIDUE_PEER
  const std::size_t edge = 2'000;
  std::vector<float> product(edge * edge);
  const auto part = [&](std::size_t begin) { return std::min(edge, flags.vectors - begin); };
  const double s = median_s(flags.rounds, [&] {
    for (std::size_t row = 0; row < flags.vectors; row += edge) {
      for (std::size_t column = 0; column < flags.vectors; column += edge) {
        bench::peer_product(queries.data() + row * flags.dimension, candidates.data() + column * flags.dimension,
                            product.data(), part(row), part(column), flags.dimension);
      }
    }
  });
  fmt::print("{:<19} {:6.2f} s {:7.1f} GFLOP/s\nshare of the machine's rate: {:.2f}\n", bench::peer_name(), s,
             operations / s * 1e-9, best / (operations / s));
#endif
  return 0;
}

}  // namespace
}  // namespace residue::index

int main(int argc, char** argv) {
#ifdef RESIDUE_PEER
  // OpenBLAS reads this when it is loaded; left alone, it takes a CPU that is younger than itself for a very old one.
  const bool wide = residue::index::dense_kernels().back().simd == residue::Simd::kAvx512;
  if (wide && ::setenv("OPENBLAS_CORETYPE", "SkylakeX", 0) == 0 && ::getenv("RESIDUE_PEER_SET") == nullptr) {
    ::setenv("RESIDUE_PEER_SET", "1", 1);
    ::execv("/proc/self/exe", argv);
  }
#endif
  residue::index::Flags flags;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::size_t value = std::stoul(argv[i + 1]);
    if (std::strcmp(argv[i], "--vectors") == 0) flags.vectors = value;
    if (std::strcmp(argv[i], "--dimension") == 0) flags.dimension = value;
    if (std::strcmp(argv[i], "--k") == 0) flags.k = value;
    if (std::strcmp(argv[i], "--rounds") == 0) flags.rounds = std::max<std::size_t>(1, value);
  }
  return residue::index::run(flags);
}
