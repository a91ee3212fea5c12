#include "python/core/plain_texts.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "index/bm25_kernel/bm25_kernel.h"
#include "index/bm25_kernel/bm25_texts.h"
#include "python/core/running.h"
#include "query/judge/judge.h"
#include "text/measures/rouge.h"

namespace residue::python {
namespace {

namespace py = pybind11;

constexpr std::size_t kLook = 64;  // texts between two looks at Ctrl-C

// The texts of an iterable of str, in place: Python keeps them, and this keeps the list.
class TextList {
 public:
  TextList(const char* name, const py::object& texts) {
    if (py::isinstance<py::str>(texts) || py::isinstance<py::bytes>(texts) || !py::isinstance<py::iterable>(texts)) {
      throw Error(Code::kBadInput, fmt::format("{}: a list of str was expected, not {}", name, type_of(texts)),
                  "give a list, even of one text");
    }
    held_ = py::list(texts);
    views_.reserve(held_.size());
    for (const py::handle text : held_) {
      Py_ssize_t size = 0;
      const char* bytes = PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
      if (bytes == nullptr) {
        const bool str = PyUnicode_Check(text.ptr());
        PyErr_Clear();
        throw Error(Code::kBadInput,
                    fmt::format("{}: item {} is {}, a str was expected", name, views_.size(),
                                str ? "half a character (a lone surrogate)" : type_of(text)),
                    "give every text as a str; '' where there is none");
      }
      views_.emplace_back(bytes, static_cast<std::size_t>(size));
    }
  }

  [[nodiscard]] const std::vector<std::string_view>& views() const { return views_; }

 private:
  static std::string type_of(const py::handle& value) {
    return value.is_none() ? "None" : fmt::format("a {}", Py_TYPE(value.ptr())->tp_name);
  }

  py::list held_;
  std::vector<std::string_view> views_;
};

void check_alike(const TextList& a, const TextList& b, const char* names) {
  if (a.views().size() == b.views().size()) return;
  throw Error(Code::kBadInput, fmt::format("{}: {} and {} texts", names, a.views().size(), b.views().size()),
              "give two lists of the same length: item i of one belongs to item i of the other");
}

void look(const Running& running, std::size_t i) {
  if (i % kLook == 0 && running.interrupted()) throw Error(Code::kInterrupted, "stopped");
}

py::array_t<double> rouge_l(const py::object& references, const py::object& hypotheses, bool stem) {
  const TextList of(("references"), references), against("hypotheses", hypotheses);
  check_alike(of, against, "references, hypotheses");
  const std::size_t count = of.views().size();
  py::array_t<double> scores({static_cast<py::ssize_t>(count), py::ssize_t{3}});
  double* at = scores.mutable_data();
  run(py::none(), [&](const Running& running) {
    text::RougeTokenizer tokenizer(stem);
    std::vector<std::uint32_t> a, b;
    for (std::size_t i = 0; i < count; ++i) {
      look(running, i);
      tokenizer.clear_if_large();
      tokenizer.tokens(of.views()[i], a);
      tokenizer.tokens(against.views()[i], b);
      const text::Prf prf = text::rouge_l(a, b);
      *at++ = prf.p;
      *at++ = prf.r;
      *at++ = prf.f;
    }
  });
  return scores;
}

// (numbers, scores, ties), each [queries, k]; -1 and 0 where there is no hit.
py::tuple bm25(const py::object& queries, const py::object& documents, std::size_t k, double k1, double b) {
  const TextList asked("queries", queries), texts("documents", documents);
  const index::Bm25Options options{k1, b, false};
  if (k == 0 || k > 100'000) throw Error(Code::kUsage, "k: from 1 to 100,000", "k=10");
  if (!index::kernel_allows(options)) throw Error(Code::kUsage, "k1 is at least 0, b from 0 to 1", "k1=0.9, b=0.4");
  const auto hits = run_for(py::none(), [&](const Running& running) {
    index::Bm25Texts index(texts.views(), text::Analyzer::fsp(), options, running.interrupted);
    std::vector<std::vector<index::RankedHit>> all;
    constexpr std::size_t kAtOnce = 1024;  // queries between two looks at Ctrl-C
    for (std::size_t i = 0; i < asked.views().size(); i += kAtOnce) {
      if (running.interrupted()) throw Error(Code::kInterrupted, "stopped");
      const std::span<const std::string_view> some =
          std::span(asked.views()).subspan(i, std::min(kAtOnce, asked.views().size() - i));
      for (auto& one : index.top(some, k)) all.push_back(std::move(one));
    }
    return all;
  });
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(hits.size()), static_cast<py::ssize_t>(k)};
  py::array_t<std::int64_t> numbers(shape), ties(shape);
  py::array_t<double> scores(shape);
  std::int64_t* number = numbers.mutable_data();
  std::int64_t* tied = ties.mutable_data();
  double* score = scores.mutable_data();
  for (const auto& one : hits) {
    for (std::size_t i = 0; i < k; ++i) {
      const bool there = i < one.size();
      *number++ = there ? static_cast<std::int64_t>(one[i].rank) : -1;
      *score++ = there ? one[i].score : 0;
      *tied++ = there ? static_cast<std::int64_t>(one[i].tied) : 0;
    }
  }
  return py::make_tuple(numbers, scores, ties);
}

// (ratings, scores): 1 same, 2 similar, 3 unsupported; 0 where there is no rating.
py::tuple judge(const std::string& name, const py::object& claims, const py::object& passages) {
  const TextList said("claims", claims), read("passages", passages);
  check_alike(said, read, "claims, passages");
  const std::size_t count = said.views().size();
  py::array_t<std::int64_t> ratings(static_cast<py::ssize_t>(count));
  py::array_t<double> scores(static_cast<py::ssize_t>(count));
  std::int64_t* rating_at = ratings.mutable_data();
  double* score_at = scores.mutable_data();
  run(py::none(), [&](const Running& running) {
    const std::unique_ptr<query::Judge> made = query::make_judge(name);
    // Pairs of one passage together: it is prepared once.
    std::map<std::string_view, std::vector<std::size_t>> by_passage;
    for (std::size_t i = 0; i < count; ++i) by_passage[read.views()[i]].push_back(i);
    for (const auto& [passage, pairs] : by_passage) {
      look(running, 0);
      query::Request request{passage, {}};
      for (const std::size_t i : pairs) request.claims.push_back(said.views()[i]);
      const auto rated = made->rate(std::span(&request, 1));
      for (std::size_t j = 0; j < pairs.size(); ++j) {
        const auto& rating = rated[0][j];
        rating_at[pairs[j]] = rating ? rating->rating : 0;
        score_at[pairs[j]] = rating ? rating->score : 0;
      }
    }
  });
  return py::make_tuple(ratings, scores);
}

}  // namespace

void bind_plain_texts(py::module_& module) {
  module.def("rouge_l", &rouge_l);
  module.def("bm25", &bm25);
  module.def("judge", &judge);
}

}  // namespace residue::python
