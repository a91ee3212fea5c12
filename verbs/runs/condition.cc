#include "verbs/runs/condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/nearest.h"
#include "query/metric/metric_values.h"
#include "verbs/runs/date.h"

namespace residue::verbs {

// One comparison, or what joins others.
struct Condition::Node {
  enum class Kind : std::uint8_t { kAnd, kOr, kNot, kCompare };
  enum class Op : std::uint8_t { kEqual, kUnequal, kLess, kLessEqual, kGreater, kGreaterEqual };
  Kind kind = Kind::kCompare;
  std::unique_ptr<Node> left, right;  // kNot: left alone
  RunField field;
  Op op = Op::kEqual;
  std::string text;
  std::optional<double> number;
  TimeSpan span;  // of `made`
};

namespace {

using Of = RunField::Of;

constexpr std::size_t kMaxDepth = 100;
constexpr std::string_view kExample = "for example: 'param.rate > 0.3 and (tag = nightly or linkage_rate < 0.2)'";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// A sign of names, numbers and dates as they stand without quotes.
bool is_word(char c) { return !is_blank(c) && std::string_view("()<>=!'\"").find(c) == std::string_view::npos; }

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

struct Token {
  enum class Kind : std::uint8_t { kWord, kQuoted, kOperator, kOpen, kClose, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;
  std::size_t at = 0;

  [[nodiscard]] bool is(std::string_view keyword) const { return kind == Kind::kWord && lower(text) == keyword; }
};

bool is_text(Of of) {
  return of == Of::kTag || of == Of::kRun || of == Of::kDataset || of == Of::kKind || of == Of::kSanitizer ||
         of == Of::kGroup;
}

// What some run has in this field, so that a name that is mistyped is found.
std::vector<std::string> known_values(const RunField& field, const std::vector<RunFacts>& runs) {
  std::set<std::string> all;
  for (const RunFacts& run : runs) {
    if (field.of == Of::kTag) {
      all.insert(run.tags.begin(), run.tags.end());
    } else if (field.of == Of::kParam) {
      if (const auto found = run.params.find(field.param); found != run.params.end()) all.insert(found->second);
    } else if (const RunValue value = value_of(field, run, nullptr);
               const auto* text = std::get_if<std::string>(&value)) {
      all.insert(*text);
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace

class Condition::Reader {
 public:
  Reader(const std::string& text, const std::vector<RunFacts>& runs) : text_(text), runs_(runs), fields_(runs) {
    next();
  }

  std::unique_ptr<Node> read() {
    if (token_.kind == Token::Kind::kEnd) fail(token_.at, "there is no condition", std::string(kExample));
    auto root = either();
    if (token_.kind == Token::Kind::kClose) fail(token_.at, "this ) closes nothing", "remove it, or open it before");
    if (token_.kind != Token::Kind::kEnd) {
      fail(token_.at, "\"and\" or \"or\" is missing here", std::string(kExample));
    }
    return root;
  }

 private:
  using Kind = Token::Kind;

  [[noreturn]] void fail(std::size_t at, const std::string& what, std::string hint, Code code = Code::kUsage) const {
    throw ConditionError(code, "--where: " + what, std::move(hint), text_, at);
  }

  void next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    token_ = {Kind::kEnd, {}, at_};
    if (at_ == text_.size()) return;
    const char c = text_[at_];
    if (c == '(' || c == ')') {
      token_.kind = c == '(' ? Kind::kOpen : Kind::kClose;
      token_.text = c;
      ++at_;
    } else if (c == '\'' || c == '"') {
      quoted(c);
    } else if (is_word(c)) {
      token_.kind = Kind::kWord;
      while (at_ < text_.size() && is_word(text_[at_])) token_.text += text_[at_++];
    } else {
      token_.kind = Kind::kOperator;
      while (at_ < text_.size() && std::string_view("<>=!").find(text_[at_]) != std::string_view::npos) {
        token_.text += text_[at_++];
      }
    }
  }

  // A quote within is doubled.
  void quoted(char quote) {
    token_.kind = Kind::kQuoted;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] != quote) {
        token_.text += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == quote) {
        token_.text += text_[at_++];
      } else {
        ++at_;
        return;
      }
    }
    fail(token_.at, "this quote is not closed", "close it; a quote inside is doubled");
  }

  std::unique_ptr<Node> joined(Node::Kind kind, std::unique_ptr<Node> left, std::unique_ptr<Node> right) {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
  }

  std::unique_ptr<Node> either() {
    auto left = all();
    while (token_.is("or")) {
      next();
      left = joined(Node::Kind::kOr, std::move(left), all());
    }
    return left;
  }

  std::unique_ptr<Node> all() {
    auto left = one();
    while (token_.is("and")) {
      next();
      left = joined(Node::Kind::kAnd, std::move(left), one());
    }
    return left;
  }

  std::unique_ptr<Node> one() {
    if (++depth_ > kMaxDepth) fail(token_.at, "it is nested too deeply", "write it with fewer parentheses");
    auto node = deeper();
    --depth_;
    return node;
  }

  std::unique_ptr<Node> deeper() {
    if (token_.is("not")) {
      next();
      return joined(Node::Kind::kNot, one(), nullptr);
    }
    if (token_.kind != Kind::kOpen) return comparison();
    const std::size_t open = token_.at;
    next();
    auto node = either();
    if (token_.kind != Kind::kClose) {
      if (token_.kind != Kind::kEnd) fail(token_.at, "\"and\", \"or\" or ) is missing here", std::string(kExample));
      fail(open, "this ( is not closed", "close it behind the last comparison");
    }
    next();
    return node;
  }

  std::unique_ptr<Node> comparison() {
    auto node = std::make_unique<Node>();
    const Token name = token_;
    if (name.kind != Kind::kWord && name.kind != Kind::kQuoted) {
      fail(name.at, "a name is missing here", fmt::format("{}, and metrics; {}", fields_.list(), kExample));
    }
    const auto field = fields_.find(name.text);
    if (!field) {
      fail(name.at, fmt::format("runs have no \"{}\"{}", name.text, fields_.suggestion(name.text)),
           fmt::format("{}, and metrics (residue help terms)", fields_.list()));
    }
    node->field = *field;
    next();
    read_operator(*node, name);
    next();
    read_value(*node);
    next();
    return node;
  }

  void read_operator(Node& node, const Token& name) {
    using Op = Node::Op;
    static constexpr std::array<std::pair<std::string_view, Op>, 7> kOperators = {{{"=", Op::kEqual},
                                                                                   {"==", Op::kEqual},
                                                                                   {"!=", Op::kUnequal},
                                                                                   {"<", Op::kLess},
                                                                                   {"<=", Op::kLessEqual},
                                                                                   {">", Op::kGreater},
                                                                                   {">=", Op::kGreaterEqual}}};
    const auto* const found =
        std::ranges::find(kOperators, std::string_view(token_.text), [](const auto& one) { return one.first; });
    if (token_.kind != Kind::kOperator || found == kOperators.end()) {
      fail(token_.at, fmt::format("behind {} one of = != < <= > >= is missing", name.text),
           fmt::format("for example: {}", example_of(node.field)));
    }
    node.op = found->second;
    const bool order = node.op != Op::kEqual && node.op != Op::kUnequal;
    if (order && is_text(node.field.of)) {
      fail(token_.at, fmt::format("{} is a name: it can be = or !=", name.text),
           fmt::format("for example: {}", example_of(node.field)));
    }
  }

  std::string example_of(const RunField& field) const {
    switch (field.of) {
      case Of::kMade:
        return "made >= 2026-11-01";
      case Of::kMetric:
        return field.name + " < 0.2";
      case Of::kSeed:
        return "seed = 42";
      default:
        break;
    }
    const auto known = known_values(field, runs_);
    return fmt::format("{} = {}", field.name, known.empty() ? "NAME" : known.front());
  }

  void read_value(Node& node) {
    const RunField& field = node.field;
    if (token_.kind != Kind::kWord && token_.kind != Kind::kQuoted) {
      fail(token_.at, "a value is missing here", fmt::format("for example: {}", example_of(field)));
    }
    node.text = token_.text;
    if (field.of == Of::kMade) {
      const auto span = read_time(token_.text);
      if (!span) {
        fail(token_.at, "this is no date", "a day 2026-11-28, a month 2026-11, or a time 2026-11-28T16:20, in UTC");
      }
      node.span = *span;
      return;
    }
    double number = 0;
    const char* const end = token_.text.data() + token_.text.size();
    const auto read = std::from_chars(token_.text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && std::isfinite(number)) node.number = number;
    const bool ordered = node.op != Node::Op::kEqual && node.op != Node::Op::kUnequal;
    // In quotes a setting is meant as it was given: '1.1' is not 1.10.
    if (field.of == Of::kParam && token_.kind == Token::Kind::kQuoted && !ordered) node.number.reset();
    const bool numeric = field.of_metric() || field.of == Of::kSeed || (field.of == Of::kParam && ordered);
    if (numeric && !node.number) {
      fail(token_.at, "this is no number", fmt::format("for example: {}", example_of(field)));
    }
    if (field.of_metric()) require_possible(node);
    if (is_text(field.of) || (field.of == Of::kParam && !node.number)) require_known(node);
  }

  // A share that is written as a percentage would be met by every run, or by none.
  void require_possible(const Node& node) const {
    if (node.field.number != "value" && node.field.number != "low" && node.field.number != "high") return;
    const query::MetricDefinition& about = query::definition(node.field.metric);
    if (*node.number >= about.low && *node.number <= about.high) return;
    const bool percent = about.high <= 1 && *node.number > 1 && *node.number <= 100;
    fail(token_.at,
         fmt::format("{} lies between {:g} and {:g}{}", about.name, about.low, about.high,
                     percent ? fmt::format("; {:g} % is {:g}", *node.number, *node.number / 100) : ""),
         fmt::format("for example: {}", example_of(node.field)));
  }

  void require_known(const Node& node) const {
    const std::vector<std::string> known = known_values(node.field, runs_);
    if (std::ranges::find(known, node.text) != known.end()) return;
    std::string few = fmt::format(
        "{}", fmt::join(known.begin(),
                        known.begin() + std::min<std::ptrdiff_t>(10, static_cast<std::ptrdiff_t>(known.size())), ", "));
    if (known.size() > 10) few += ", ...";
    const std::string what = node.field.of == Of::kRun
                                 ? fmt::format("there is no run \"{}\"", node.text)
                                 : fmt::format("no run has the {} \"{}\"", node.field.name, node.text);
    fail(token_.at, what + did_you_mean(node.text, known),
         known.empty() ? (node.field.of == Of::kTag ? std::string("residue tag DATASET/RUN NAME gives a run one")
                                                    : fmt::format("no run has any {}", node.field.name))
                       : fmt::format("there are: {}", few),
         Code::kNotFound);
  }

  const std::string& text_;
  const std::vector<RunFacts>& runs_;
  RunFields fields_;
  std::size_t at_ = 0, depth_ = 0;
  Token token_;
};

Condition::Condition(std::string_view text, const std::vector<RunFacts>& runs) : text_(text) {
  root_ = Reader(text_, runs).read();
}
Condition::~Condition() = default;
Condition::Condition(Condition&&) noexcept = default;
Condition& Condition::operator=(Condition&&) noexcept = default;

namespace {

// Numbers of evaluations are the same where their rounding cannot tell them apart.
template <class Op>
bool compared(Op op, double value, double limit, bool rounded) {
  const bool same = rounded ? query::same_value(value, limit) : value == limit;
  const bool below = !same && value < limit;
  switch (op) {
    case Op::kEqual:
      return same;
    case Op::kUnequal:
      return !same;
    case Op::kLess:
      return below;
    case Op::kLessEqual:
      return below || same;
    case Op::kGreater:
      return !below && !same;
    case Op::kGreaterEqual:
      break;
  }
  return !below;
}

template <class Op>
bool compared(Op op, std::int64_t at, const TimeSpan& span) {
  switch (op) {
    case Op::kEqual:
      return at >= span.begin && at < span.end;
    case Op::kUnequal:
      return at < span.begin || at >= span.end;
    case Op::kLess:
      return at < span.begin;
    case Op::kLessEqual:
      return at < span.end;
    case Op::kGreater:
      return at >= span.end;
    case Op::kGreaterEqual:
      break;
  }
  return at >= span.begin;
}

template <class Node>
std::optional<bool> compare(const Node& node, const RunFacts& run, const query::ReportRun* numbers) {
  using Op = typename Node::Op;
  if (node.field.of == Of::kTag) {
    const bool has = std::ranges::find(run.tags, node.text) != run.tags.end();
    return node.op == Op::kEqual ? has : !has;
  }
  const RunValue value = value_of(node.field, run, numbers);
  if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
  if (const auto* time = std::get_if<RunTime>(&value)) return compared(node.op, time->ms, node.span);
  if (const auto* real = std::get_if<double>(&value); real != nullptr && node.number) {
    return compared(node.op, *real, *node.number, node.field.of_metric());
  }
  if (node.op != Op::kEqual && node.op != Op::kUnequal) return std::nullopt;  // a setting that is no number here
  const auto* text = std::get_if<std::string>(&value);
  const bool same = text != nullptr ? *text == node.text : run.params.at(node.field.param) == node.text;
  return node.op == Op::kEqual ? same : !same;
}

// As SQL has it: what is not known stays unknown unless the other side decides.
template <class Node>
std::optional<bool> decide(const Node& node, const RunFacts& run, const query::ReportRun* numbers,
                           std::set<std::string>& lacking) {
  using Kind = typename Node::Kind;
  if (node.kind == Kind::kCompare) {
    const auto met = compare(node, run, numbers);
    if (!met) lacking.insert(node.field.name);
    return met;
  }
  const auto left = decide(*node.left, run, numbers, lacking);
  if (node.kind == Kind::kNot) return left ? std::optional(!*left) : std::nullopt;
  const auto right = decide(*node.right, run, numbers, lacking);
  const bool decisive = node.kind == Kind::kOr;
  if ((left && *left == decisive) || (right && *right == decisive)) return decisive;
  if (!left || !right) return std::nullopt;
  return !decisive;
}

template <class Node>
bool asks_metrics(const Node& node) {
  if (node.kind == Node::Kind::kCompare) return node.field.of_metric();
  return asks_metrics(*node.left) || (node.right && asks_metrics(*node.right));
}

}  // namespace

bool Condition::of_metrics() const { return asks_metrics(*root_); }

std::optional<bool> Condition::met(const RunFacts& run, const query::ReportRun* numbers,
                                   std::set<std::string>& lacking) const {
  std::set<std::string> lacks;
  const auto result = decide(*root_, run, numbers, lacks);
  if (!result) lacking.insert(lacks.begin(), lacks.end());
  return result;
}

}  // namespace residue::verbs
