#include "query/link/link_basis.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "storage/catalog/results/link_basis.h"
#include "storage/catalog/results/link_basis_change.h"

namespace residue::query {
namespace {

constexpr char kVersion = 3;

// Numbers in groups of 7 bits, low ones first; the highest bit says that more follow.
void put_number(std::string& out, std::uint64_t value) {
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  out += static_cast<char>(value);
}

void put_bits(std::string& out, std::uint64_t bits) {
  for (int i = 0; i < 8; ++i, bits >>= 8) out += static_cast<char>(bits);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 127U} << shift;
      if (next < 128) return value;
    }
    good_ = false;
    return 0;
  }
  template <class IdType>
  IdType id() {
    return IdType{static_cast<std::int64_t>(number())};
  }
  std::uint64_t bits() {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < 8; ++i) bits |= std::uint64_t{byte()} << (8 * i);
    return bits;
  }

 private:
  std::uint8_t byte() {
    good_ = good_ && !rest_.empty();
    if (!good_) return 0;
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }

  std::string_view rest_;
  bool good_ = true;
};

template <class Tag>
std::uint64_t bits(Id<Tag> id) {
  return static_cast<std::uint64_t>(id.value);
}

IndexChanges load_changes(storage::Db& db, std::int64_t basis) {
  IndexChanges changes;
  storage::Statement all = db.prepare(storage::sql::kLinkBasisChangesOfBasis);
  all.bind(basis);
  while (all.step()) {
    std::optional<TextId> text;
    if (!all.is_null(1)) text = all.id<TextId>(1);
    changes.emplace_back(all.id<CandidateId>(0), text);
  }
  return changes;
}

// Leaves out of `changes` what was changed back, and gives the fingerprint of the documents before them.
Fingerprint take_back(const RunCandidates& candidates, IndexChanges& changes) {
  std::unordered_map<CandidateId, TextId> present;
  for (std::size_t i = 0; i < candidates.ids.size(); ++i) present.emplace(candidates.ids[i], candidates.texts[i]);
  Fingerprint documents = fingerprint_of(candidates);
  std::erase_if(changes, [&](const auto& change) {
    const auto now = present.find(change.first);
    const std::optional<TextId> text = now == present.end() ? std::nullopt : std::optional(now->second);
    if (text) documents.remove("", change.first.value, text->value);
    if (change.second) documents.add("", change.first.value, change.second->value);
    return text == change.second;
  });
  return documents;
}

}  // namespace

Fingerprint fingerprint_of(const RunCandidates& candidates) {
  Fingerprint documents;
  for (std::size_t i = 0; i < candidates.ids.size(); ++i) {
    documents.add("", candidates.ids[i].value, candidates.texts[i].value);
  }
  return documents;
}

std::string encode_links(const std::vector<LinkBasis::Link>& links) {
  std::string out(1, kVersion);
  RecordId last;
  for (const LinkBasis::Link& link : links) {
    put_number(out, bits(link.record) - bits(last));
    last = link.record;
    put_number(out, bits(link.query));
    put_number(out, bits(link.link.linked));
    put_number(out, link.link.tied);
    put_number(out, link.link.rank.value_or(0));
    put_number(out, link.standing.best.size());
    for (const CandidateId candidate : link.standing.best) put_number(out, bits(candidate));
    put_bits(out, std::bit_cast<std::uint64_t>(link.standing.rest));
    put_number(out, link.place ? std::uint64_t{link.place->ahead} + 1 : 0);
    if (link.place) put_number(out, link.place->level);
    put_number(out, 2 * link.seen.size() + (link.seen_all ? 1 : 0));
    for (const index::Hit& hit : link.seen) {
      put_number(out, bits(hit.candidate));
      put_number(out, hit.tied);
      put_bits(out, std::bit_cast<std::uint64_t>(hit.score));
    }
  }
  return out;
}

std::optional<std::vector<LinkBasis::Link>> decode_links(std::string_view bytes) {
  if (bytes.empty() || bytes.front() != kVersion) return std::nullopt;
  Reader in(bytes.substr(1));
  std::vector<LinkBasis::Link> links;
  std::uint64_t record = 0;
  while (in.good() && !in.at_end()) {
    LinkBasis::Link& link = links.emplace_back();
    record += in.number();
    link.record = {static_cast<std::int64_t>(record)};
    link.query = in.id<TextId>();
    link.link.attacked = true;
    link.link.linked = in.id<CandidateId>();
    link.link.tied = static_cast<std::uint32_t>(in.number());
    if (const auto rank = static_cast<std::uint32_t>(in.number())) link.link.rank = rank;
    const std::uint64_t count = in.number();
    for (std::uint64_t i = 0; i < count && in.good(); ++i) link.standing.best.push_back(in.id<CandidateId>());
    link.standing.rest = std::bit_cast<double>(in.bits());
    if (const std::uint64_t ahead = in.number(); ahead > 0) {
      link.place = {static_cast<std::uint32_t>(ahead - 1), static_cast<std::uint32_t>(in.number())};
    }
    const std::uint64_t seen = in.number();
    link.seen_all = seen % 2 != 0;
    for (std::uint64_t i = 0; i < seen / 2 && in.good(); ++i) {
      index::Hit& hit = link.seen.emplace_back();
      hit.candidate = in.id<CandidateId>();
      hit.tied = static_cast<std::uint32_t>(in.number());
      hit.score = std::bit_cast<double>(in.bits());
    }
    if (!(link.standing.rest >= 0)) return std::nullopt;
  }
  if (!in.good()) return std::nullopt;
  return links;
}

std::optional<LinkBasis> load_basis(storage::Db& db, RunId run, ProtocolId protocol, std::string_view analyzer,
                                    const RunCandidates& candidates) {
  storage::Statement find = db.prepare(storage::sql::kLinkBasisByAnalyzer);
  find.bind(run, protocol, analyzer);
  if (!find.step()) return std::nullopt;
  LinkBasis basis;
  basis.changes = load_changes(db, find.integer(0));
  if (take_back(candidates, basis.changes).bytes() != find.text(1)) return std::nullopt;
  auto links = decode_links(find.text(2));
  if (!links) return std::nullopt;
  basis.links = std::move(*links);
  return basis;
}

bool has_basis(storage::Db& db, RunId run, ProtocolId protocol) {
  storage::Statement find = db.prepare(storage::sql::kLinkBasisExists);
  return find.bind(run, protocol).step();
}

void store_basis(storage::Store& store, RunId run, ProtocolId protocol, std::string_view analyzer,
                 const RunCandidates& candidates, const LinkBasis& basis) {
  const std::string documents = fingerprint_of(candidates).bytes();
  const std::string links = encode_links(basis.links);
  const auto batch = store.write();
  batch->db().prepare(storage::sql::kDeleteLinkBasisUnderProtocol).run(run, protocol);
  batch->db()
      .prepare(storage::sql::kInsertLinkBasis)
      .run(run, protocol, analyzer, storage::Statement::Blob{documents}, storage::Statement::Blob{links});
  batch->commit();
}

void note_index_changes(storage::Db& db, RunId run, std::string_view analyzer, std::size_t documents,
                        const IndexChanges& changes) {
  const auto most = std::max(kAlwaysFew, static_cast<std::int64_t>(kMostChanged * static_cast<double>(documents)));
  if (static_cast<std::int64_t>(changes.size()) > most) {
    db.prepare(storage::sql::kDeleteLinkBasesOfAnalyzer).run(run, analyzer);
    return;
  }
  storage::Statement note = db.prepare(storage::sql::kInsertLinkBasisChangeIfNew);
  for (const auto& [candidate, text] : changes) note.run(run, analyzer, candidate, text);
  db.prepare(storage::sql::kDeleteLinkBasesWithMoreChanges).run(run, analyzer, most);
}

}  // namespace residue::query
