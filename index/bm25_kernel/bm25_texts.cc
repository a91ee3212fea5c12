#include "index/bm25_kernel/bm25_texts.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "index/bm25_kernel/bm25_kernel.h"

namespace residue::index {
namespace {

constexpr std::uint32_t kLook = 1024;  // texts between two looks at `interrupted`

// The postings of all terms, one after another.
class Postings final : public PostingSource {
 public:
  std::vector<std::size_t> begins;  // of each term, and the end of the last
  std::vector<Posting> all;

  [[nodiscard]] std::size_t terms() const override { return begins.size() - 1; }
  [[nodiscard]] std::uint32_t containing(std::uint32_t term) const override {
    return static_cast<std::uint32_t>(begins[term + 1] - begins[term]);
  }
  void read(std::uint32_t term, std::vector<Posting>& out) const override {
    out.assign(all.begin() + static_cast<std::ptrdiff_t>(begins[term]),
               all.begin() + static_cast<std::ptrdiff_t>(begins[term + 1]));
  }
};

struct Counted {
  std::uint32_t text, term, times;
};

}  // namespace

struct Bm25Texts::Impl {
  explicit Impl(const text::Analyzer& analyzer) : counter(analyzer) {}

  text::TermCounter counter;
  std::vector<std::uint32_t> number_of;  // of a term of the counter: its place in byte order
  std::unique_ptr<Bm25Kernel> kernel;    // null: no text has a term

  void number_terms(std::uint32_t terms) {
    std::vector<std::uint32_t> order(terms);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::string_view(counter.spelling(a)) < std::string_view(counter.spelling(b));
    });
    number_of.resize(terms);
    for (std::uint32_t i = 0; i < terms; ++i) number_of[order[i]] = i;
  }

  void build(std::span<const Counted> counts, std::span<const std::uint64_t> lengths, const Bm25Options& options) {
    Postings postings;
    postings.begins.assign(number_of.size() + 1, 0);
    for (const Counted& one : counts) ++postings.begins[number_of[one.term] + 1];
    std::partial_sum(postings.begins.begin(), postings.begins.end(), postings.begins.begin());
    postings.all.resize(counts.size());
    std::vector<std::size_t> next = postings.begins;  // in order of texts
    for (const Counted& one : counts) postings.all[next[number_of[one.term]]++] = {one.text, one.times};

    const auto documents =
        static_cast<std::uint64_t>(std::count_if(lengths.begin(), lengths.end(), [](auto n) { return n > 0; }));
    const std::uint64_t length = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
    const double average = static_cast<double>(length) / static_cast<double>(documents);
    std::vector<double> norms(lengths.size(), 0);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (lengths[i] > 0) norms[i] = bm25_norm(options, lengths[i], average);
    }
    kernel = std::make_unique<Bm25Kernel>(postings, norms, documents);
  }
};

Bm25Texts::Bm25Texts(std::span<const std::string_view> texts, const text::Analyzer& analyzer, Bm25Options options,
                     const std::function<bool()>& interrupted)
    : impl_(std::make_unique<Impl>(analyzer)) {
  std::vector<Counted> counts;
  std::vector<std::uint64_t> lengths(texts.size(), 0);
  std::uint32_t terms = 0;
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    if (i % kLook == 0 && interrupted && interrupted()) throw Error(Code::kInterrupted, "stopped");
    for (const auto& [term, times] : impl_->counter.count(texts[i])) {
      counts.push_back({i, term, times});
      lengths[i] += times;
      terms = std::max(terms, term + 1);
    }
  }
  if (counts.empty()) return;
  impl_->number_terms(terms);
  impl_->build(counts, lengths, options);
}

Bm25Texts::~Bm25Texts() = default;

std::vector<std::vector<RankedHit>> Bm25Texts::top(std::span<const std::string_view> queries, std::size_t k) {
  std::vector<std::vector<RankedHit>> hits(queries.size());
  if (!impl_->kernel || k == 0) return hits;
  std::vector<KernelTerm> terms;
  std::vector<std::size_t> ends;
  for (const std::string_view query : queries) {
    const std::size_t begin = terms.size();
    for (const auto& [term, times] : impl_->counter.count(query)) {
      if (term < impl_->number_of.size()) terms.push_back({impl_->number_of[term], times});
    }
    std::sort(terms.begin() + static_cast<std::ptrdiff_t>(begin), terms.end(),
              [](const KernelTerm& a, const KernelTerm& b) { return a.term < b.term; });
    ends.push_back(terms.size());
  }
  std::vector<KernelQuery> wanted(queries.size());
  for (std::size_t i = 0, begin = 0; i < queries.size(); begin = ends[i++]) {
    wanted[i].terms = std::span<const KernelTerm>(terms).subspan(begin, ends[i] - begin);
  }
  return impl_->kernel->top(wanted, k);
}

}  // namespace residue::index
