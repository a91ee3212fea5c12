#include "model/asking/answer.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"

namespace residue::model {
namespace {

// "answer 1", the header's length in decimal, the header (JSON), the body: readable wherever it ends up.
constexpr std::string_view kMagic = "answer 1 ";

[[noreturn]] void damaged() {
  throw Error(Code::kCorrupt, "a saved answer cannot be read", "restore the store from a backup");
}

}  // namespace

std::string encode(const Envelope& envelope) {
  Json fields{{"status", envelope.status},
              {"url", envelope.url},
              {"at", envelope.at},
              {"ms", envelope.ms},
              {"gave_up", envelope.gave_up}};
  if (envelope.least_tokens > 0) fields["least_tokens"] = envelope.least_tokens;
  if (envelope.withdraws) fields["withdraws"] = true;
  const std::string header = fields.sorted().dump();
  return fmt::format("{}{}\n{}{}", kMagic, header.size(), header, envelope.body);
}

Envelope decode(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (!bytes.starts_with(kMagic) || end == std::string_view::npos) damaged();
  std::size_t length = 0;
  for (const char c : bytes.substr(kMagic.size(), end - kMagic.size())) {
    if (c < '0' || c > '9' || length > bytes.size()) damaged();
    length = 10 * length + static_cast<std::size_t>(c - '0');
  }
  if (length > bytes.size() - end - 1) damaged();
  const auto header = Json::parse(bytes.substr(end + 1, length)).value_or(Json());
  if (!header.is_object()) damaged();
  Envelope envelope;
  envelope.status = header.value("status", 0);
  envelope.url = header.value("url", std::string());
  envelope.at = header.value("at", std::int64_t{0});
  envelope.ms = header.value("ms", std::int64_t{0});
  envelope.gave_up = header.value("gave_up", false);
  envelope.least_tokens = header.value("least_tokens", std::uint64_t{0});
  envelope.withdraws = header.value("withdraws", false);
  envelope.body = std::string(bytes.substr(end + 1 + length));
  return envelope;
}

}  // namespace residue::model
