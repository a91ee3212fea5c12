// The table of sanitizers, and the two that are also the controls of every dataset.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/nearest.h"
#include "ingest/sanitizer.h"
#include "ingest/scrub.h"

namespace residue::ingest {

namespace {

class None final : public Sanitizer {
 public:
  [[nodiscard]] std::string spec() const override { return R"({"method":"none","params":{},"version":"none/1"})"; }
  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    return {std::string(input.text), std::nullopt, {}};
  }
};

class RemoveAll final : public Sanitizer {
 public:
  [[nodiscard]] std::string spec() const override {
    return R"({"method":"remove-all","params":{},"version":"remove-all/1"})";
  }
  [[nodiscard]] bool removes_everything() const override { return true; }
  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    SanitizeOutput output{std::string(), std::nullopt, {}};
    if (!input.text.empty()) output.spans.push_back({0, input.text.size(), "all", ""});
    return output;
  }
};

template <class S>
std::unique_ptr<Sanitizer> make_plain(const SanitizerMethod::Params& /*params*/, std::uint64_t /*seed*/) {
  return std::make_unique<S>();
}

std::span<const SanitizerMethod> table() {
  static const std::array methods{
      SanitizerMethod{"none", "the original text, unchanged (a control)", {}, make_plain<None>},
      SanitizerMethod{"remove-all", "nothing is left (a control)", {}, make_plain<RemoveAll>},
      SanitizerMethod{"scrub",
                      "replaces e-mails, phones, dates, ages, numbers and titled names by patterns and checksums",
                      scrub_params(), make_scrub},
  };
  return methods;
}

const SanitizerMethod& method_named(std::string_view name) {
  const auto methods = table();
  const auto row = std::ranges::find(methods, name, &SanitizerMethod::name);
  if (row != methods.end()) return *row;
  const std::string_view known = name.substr(0, 64);
  const auto nearest =
      std::ranges::min_element(methods, {}, [&](const SanitizerMethod& m) { return edit_distance(m.name, known); });
  std::string all;
  for (const SanitizerMethod& m : methods) all += fmt::format("{}{}", all.empty() ? "" : ", ", m.name);
  throw Error(Code::kUsage, fmt::format("unknown sanitizer '{}'", known),
              fmt::format("did you mean '{}'? Methods are {}", nearest->name, all));
}

}  // namespace

std::span<const SanitizerMethod> sanitizer_methods() { return table(); }

std::unique_ptr<Sanitizer> make_sanitizer(std::string_view method, const std::map<std::string, std::string>& params,
                                          std::uint64_t seed) {
  const SanitizerMethod& row = method_named(method);
  std::string allowed;
  SanitizerMethod::Params filled;
  for (const SanitizerParam& param : row.params) {
    allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", param.name);
    filled.emplace(param.name, param.default_value);
  }
  for (const auto& [name, value] : params) {
    const auto at = filled.find(name);
    if (at == filled.end()) {
      throw Error(Code::kUsage, fmt::format("{}: unknown parameter '{}'", row.name, name),
                  allowed.empty() ? fmt::format("{} takes no parameters", row.name)
                                  : fmt::format("parameters are {}", allowed));
    }
    at->second = value;
  }
  return row.make(filled, seed);
}

}  // namespace residue::ingest
