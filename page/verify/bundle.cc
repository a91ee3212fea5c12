#include "page/verify/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "page/release/page_request.h"
#include "storage/disk/tar.h"

namespace residue::page {
namespace {

constexpr std::string_view kFormat = "residue bundle 1";
constexpr std::string_view kManifest = "bundle/manifest.json", kPage = "bundle/report.html";
constexpr std::size_t kDigestBytes = 8;  // of a block: enough for what changes by chance; all bytes have SHA-256

std::string block_digest(std::string_view bytes) { return to_hex(sha256(bytes).substr(0, kDigestBytes)); }

// The request of a page. Nothing where the page may not be packed.
std::optional<PageRequest> packable_request(std::string_view html) {
  const auto data = data_of_page(html);
  const Json* const asked = data ? data->find("request") : nullptr;
  auto request = asked != nullptr ? request_from(*asked) : std::nullopt;
  if (request && !packable(*request)) request.reset();
  return request;
}

std::string manifest_of(std::string_view html, const PageRequest& request) {
  Json blocks = Json::array();
  for (std::size_t at = 0; at < html.size(); at += kBundleBlock) {
    blocks.push_back(block_digest(html.substr(at, kBundleBlock)));
  }
  Json runs = Json::array();
  for (const auto& [run, content] : request.runs) runs.push_back(Json::array({run, content}));
  Json manifest = {{"format", kFormat},
                   {"version", request.options.version},
                   {"dataset", request.dataset},
                   {"dataset_digest", request.content},
                   {"runs", std::move(runs)},
                   {"bytes", html.size()},
                   {"sha256", to_hex(sha256(html))},
                   {"block", kBundleBlock},
                   {"blocks", std::move(blocks)}};
  manifest["self"] = to_hex(sha256(manifest.dump()));
  return manifest.dump() + "\n";
}

// The blocks that are not those of the manifest, neighbours together.
// Throws JsonError for blocks that are no digests.
void compare_blocks(const Json& manifest, std::string_view html, std::vector<std::string>& changed) {
  const Json& blocks = manifest.at("blocks");
  std::optional<std::size_t> from;
  const std::size_t count = std::max(blocks.size(), (html.size() + kBundleBlock - 1) / kBundleBlock);
  for (std::size_t i = 0; i <= count; ++i) {
    const std::size_t at = i * kBundleBlock;
    const bool same = i == count || (i < blocks.size() && at < html.size() &&
                                     blocks.at(i).get<std::string>() == block_digest(html.substr(at, kBundleBlock)));
    if (!same && !from) from = at;
    if (same && from) {
      changed.push_back(*from < html.size()
                            ? fmt::format("report.html, bytes {} to {}", *from, std::min(at, html.size()) - 1)
                            : fmt::format("report.html, which ends at byte {}", html.size()));
      from.reset();
    }
  }
}

// Nothing that the manifest says is believed: it must be, byte for byte, the one that this page gives.
void compare(const std::string& manifest, std::string_view html, BundleCheck& check) {
  const auto request = packable_request(html);
  if (request && manifest == manifest_of(html, *request)) {
    check.dataset = request->dataset;
    check.dataset_digest = request->content;
    check.runs = request->runs;
    return;
  }
  try {
    const Json said = Json::parse(manifest).value_or(Json());
    Json rest = said;
    if (rest.is_object()) rest.erase("self");
    const bool whole = said.dump() + "\n" == manifest && said.value("self", "") == to_hex(sha256(rest.dump()));
    if (whole) compare_blocks(said, html, check.changed);
  } catch (const JsonError&) {
    check.changed.clear();
  }
  // The page is the one that was packed, or nobody can say: then it is the manifest that is wrong, or both.
  if (check.changed.empty() && !request) check.changed.emplace_back("report.html: no page that residue bundle packs");
  if (check.changed.empty()) check.changed.emplace_back("manifest.json");
}

}  // namespace

std::string bundle_of(std::string_view html) {
  const auto request = packable_request(html);
  if (!request) throw Error(Code::kInternal, "a bundle holds a page with proof, without ids and texts");
  return storage::tar_bytes(
      {{std::string(kManifest), manifest_of(html, *request)}, {std::string(kPage), std::string(html)}});
}

BundleCheck verify_bundle(std::string_view bytes) {
  BundleCheck check;
  check.digest = to_hex(sha256(bytes));
  std::size_t wrong = 0;
  const auto files = storage::files_of_tar(bytes, wrong);
  if (!files) {
    if (!bytes.starts_with(kManifest)) {
      throw Error(Code::kBadInput, "this is no bundle of residue", "name the file that residue bundle wrote");
    }
    check.changed.push_back(fmt::format("the archive around its files, byte {}", wrong));
    return check;
  }
  if (files->size() != 2 || files->front().first != kManifest || files->back().first != kPage) {
    throw Error(Code::kBadInput, "this is no bundle of residue", "name the file that residue bundle wrote");
  }
  const std::string& html = files->back().second;
  compare(files->front().second, html, check);
  check.page = remade(html);
  return check;
}

}  // namespace residue::page
