#include "query/inputs/requests.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "query/inputs/snapshot.h"
#include "storage/catalog/answers/claim_request.h"
#include "storage/catalog/answers/request.h"
#include "storage/catalog/sources/claim_set.h"

namespace residue::query {
namespace {

using storage::Statement;

[[noreturn]] void collision() {
  throw Error(Code::kInternal, "two requests have the same number", "ask for other --claims-per-request");
}

std::string claims_json(const std::vector<TextId>& claims) {
  Json list = Json::array();
  for (const TextId claim : claims) list.push_back(claim.value);
  return list.dump();
}

// Of one claim set cut every so many.
using Rows = std::map<std::pair<std::int64_t, std::uint32_t>, RequestId>;  // record, n

Rows stored_rows(storage::Db& db, ClaimSetId set, std::size_t size) {
  Rows rows;
  Statement all = db.prepare(storage::sql::kClaimRequestsOfClaimSet);
  all.bind(set, static_cast<std::int64_t>(size));
  while (all.step()) {
    rows.emplace_hint(rows.end(), std::pair(all.integer(0), static_cast<std::uint32_t>(all.integer(1))),
                      all.id<RequestId>(2));
  }
  return rows;
}

Rows rows_of(const DatasetView& dataset) {
  Rows rows;
  for (std::size_t i = 0; i < dataset.claims.size(); ++i) {
    for (const ClaimView& claim : dataset.claims[i]) {
      rows.emplace_hint(rows.end(), std::pair(dataset.records[i].id.value, claim.n), claim.request);
    }
  }
  return rows;
}

void put_request(Statement& find, Statement& put, RequestId id, const std::vector<TextId>& claims) {
  const std::string json = claims_json(claims);
  if (find.bind(id).step()) {
    if (find.text(0) != json) collision();
    find.reset();
    return;
  }
  put.run(id, json);
}

}  // namespace

RequestId request_of(std::span<const TextId> claims) {
  std::uint64_t hash = mix(claims.size());
  for (const TextId claim : claims) hash = mix(hash ^ static_cast<std::uint64_t>(claim.value));
  return RequestId{static_cast<std::int64_t>(std::max<std::uint64_t>(hash >> 1U, 1))};
}

void cut_requests(DatasetView& dataset, std::size_t size) {
  if (size <= 1) return;
  for (std::vector<ClaimView>& claims : dataset.claims) {
    for (std::size_t begin = 0; begin < claims.size(); begin += size) {
      const auto piece = std::span(claims).subspan(begin, std::min(size, claims.size() - begin));
      std::vector<TextId> texts;
      for (const ClaimView& claim : piece) {
        if (std::find(texts.begin(), texts.end(), claim.text) == texts.end()) texts.push_back(claim.text);
      }
      const RequestId id = request_of(texts);
      for (ClaimView& claim : piece) claim.request = id;
      const auto [known, is_new] = dataset.requests.try_emplace(id, texts);
      if (!is_new && known->second != texts) collision();
    }
  }
}

void store_requests(storage::Store& store, const DatasetView& dataset, std::size_t size) {
  if (size <= 1) return;
  const Rows wanted = rows_of(dataset);
  if (stored_rows(store.db(), dataset.claim_set, size) == wanted) return;
  const auto batch = store.write();
  storage::Db& db = batch->db();
  Statement now = db.prepare(storage::sql::kClaimSetContent);
  if (!now.bind(dataset.claim_set).step() || now.text(0) != dataset.claims_content) return;
  Statement find = db.prepare(storage::sql::kRequestClaimsJson);
  Statement put = db.prepare(storage::sql::kInsertRequest);
  Statement place = db.prepare(storage::sql::kInsertClaimRequest);
  Statement forget = db.prepare(storage::sql::kDeleteClaimRequest);
  const auto per_request = static_cast<std::int64_t>(size);
  const Rows stored = stored_rows(db, dataset.claim_set, size);
  for (const auto& [claim, request] : wanted) {
    const auto known = stored.find(claim);
    if (known != stored.end() && known->second == request) continue;
    put_request(find, put, request, dataset.requests.at(request));
    place.run(dataset.claim_set, per_request, claim.first, claim.second, request);
  }
  for (const auto& [claim, request] : stored) {
    if (!wanted.contains(claim)) forget.run(dataset.claim_set, per_request, claim.first, claim.second);
  }
  batch->commit();
}

std::vector<TextId> request_claims(storage::Db& db, RequestId request) {
  std::vector<TextId> claims;
  if (request.value == 0) return claims;
  Statement all = db.prepare(storage::sql::kRequestClaimTexts);
  all.bind(request);
  while (all.step()) claims.push_back(all.id<TextId>(0));
  return claims;
}

RequestClaims load_requests(storage::Db& db) {
  RequestClaims requests;
  Statement all = db.prepare(storage::sql::kRequestClaimTextsOfAll);
  while (all.step()) requests[all.id<RequestId>(0)].push_back(all.id<TextId>(1));
  return requests;
}

}  // namespace residue::query
