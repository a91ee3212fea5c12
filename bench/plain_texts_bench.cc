// ROUGE-L and BM25 over texts in memory, in C++ alone: what the Python package is compared with
// (bench/python_bench.py).
//   plain_texts_bench A B TIMES QUERIES     two files of a text a line: pairs, TIMES over; the first QUERIES of B are
//                                           asked of all of A
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/bm25_kernel/bm25_texts.h"
#include "text/measures/rouge.h"
#include "text/words/analyzer.h"

namespace {

double cpu() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::vector<std::string> lines_of(const char* file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Cost {
  double least = 1e9;
  double sum = 0;  // of what was computed
};

Cost cost(const std::function<double()>& work) {
  Cost found;
  for (int i = 0; i < 3; ++i) {
    const double began = cpu();
    found.sum = work();
    found.least = std::min(found.least, cpu() - began);
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const std::vector<std::string> a = lines_of(argv[1]), b = lines_of(argv[2]);
  const std::vector<std::string_view> documents(a.begin(), a.end()), all(b.begin(), b.end());
  const std::span<const std::string_view> queries = std::span(all).first(std::strtoul(argv[4], nullptr, 10));
  const std::size_t pairs = a.size() * std::strtoul(argv[3], nullptr, 10);
  const Cost rouge = cost([&] {
    residue::text::RougeTokenizer tokenizer(true);
    std::vector<std::uint32_t> x, y;
    double sum = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      tokenizer.clear_if_large();
      tokenizer.tokens(a[i % a.size()], x);
      tokenizer.tokens(b[i % b.size()], y);
      sum += residue::text::rouge_l(x, y).f;
    }
    return sum;
  });
  const Cost bm25 = cost([&] {
    residue::index::Bm25Texts index(documents, residue::text::Analyzer::fsp());
    double sum = 0;
    for (const auto& hits : index.top(queries, 10)) {
      for (const auto& hit : hits) sum += hit.score;
    }
    return sum;
  });
  fmt::print("{{\"rouge\": {}, \"rouge_sum\": {}, \"bm25\": {}, \"bm25_sum\": {}}}\n", rouge.least, rouge.sum,
             bm25.least, bm25.sum);
}
