#include "verbs/look/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace residue::verbs {
namespace {

query::ProtocolSpec protocol_of(const LinkOptions& options) {
  query::ProtocolSpec protocol =
      query::parse_protocol(options.protocol.empty() ? query::kDefaultProtocol : std::string_view(options.protocol));
  if (!options.combine.empty()) protocol = query::combined(protocol, options.combine);
  if (protocol.linker->needs_vectors()) {
    throw Error(
        Code::kUsage,
        fmt::format("the linker {} cannot rank a text: it would need a vector of the text", protocol.linker_name()),
        fmt::format("--protocol {} ranks any text; residue explain RUN RECORD --protocol {} shows links by the "
                    "vectors that were ingested",
                    query::kDefaultProtocol, protocol.linker_name()));
  }
  if (evidence_kind(protocol) == query::EvidenceKind::kNothing) {
    throw Error(Code::kUsage, fmt::format("the linker {} cannot rank a text", protocol.linker_name()),
                fmt::format("bm25 can: --protocol {}", query::kDefaultProtocol));
  }
  return protocol;
}

query::Said said_in(const std::string& text, query::EvidenceKind kind) {
  if (kind != query::EvidenceKind::kVotes) return {{text}, text};
  query::Said said{{}, text};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) said.claims.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return said;
}

}  // namespace

void check(const LinkOptions& options) { static_cast<void>(protocol_of(options)); }

LinkResult link(storage::Store& store, const LinkOptions& options) {
  LinkResult result;
  result.protocol = protocol_of(options);
  const storage::Lock held = store.hold_texts();
  result.kind = evidence_kind(result.protocol);
  result.combined = !result.protocol.runs().empty();
  const query::AttackedRun attacked(store, options.dataset, options.run, result.protocol);
  const auto attack =
      query::open_attack(store, attacked, result.protocol, said_in(options.text, result.kind), query::IndexUse::kBuild);
  result.words = attack->words();
  result.hits = query::ranked(*attack, attacked.candidates(), options.k);
  result.has_text = std::ranges::any_of(attacked.candidates().texts, [](TextId id) { return id.value != 0; });
  result.aligned = attacked.run().aligned();
  return result;
}

}  // namespace residue::verbs
