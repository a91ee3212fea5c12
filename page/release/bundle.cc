#include "page/release/bundle.h"

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

Json manifest_of(std::string_view html) {
  const auto data = data_of_page(html);
  const auto request = data && data->contains("request") ? request_from(data->at("request")) : std::nullopt;
  if (!request || !request->proof || request->keys || request->texts) {
    throw Error(Code::kInternal, "a bundle holds a page with proof, without ids and texts");
  }
  Json blocks = Json::array();
  for (std::size_t at = 0; at < html.size(); at += kBundleBlock) {
    blocks.push_back(block_digest(html.substr(at, kBundleBlock)));
  }
  Json runs = Json::array();
  for (const auto& [run, content] : request->runs) runs.push_back(Json::array({run, content}));
  Json manifest = {{"format", kFormat},
                   {"version", request->options.version},
                   {"dataset", request->dataset},
                   {"dataset_digest", request->content},
                   {"runs", std::move(runs)},
                   {"bytes", html.size()},
                   {"sha256", to_hex(sha256(html))},
                   {"block", kBundleBlock},
                   {"blocks", std::move(blocks)}};
  manifest["self"] = to_hex(sha256(manifest.dump()));
  return manifest;
}

// The blocks that are not those of the manifest, neighbours together.
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
      changed.push_back(fmt::format("report.html, bytes {} to {}", *from, std::min(at, html.size()) - 1));
      from.reset();
    }
  }
}

}  // namespace

std::string bundle_of(std::string_view html) {
  return storage::tar_bytes(
      {{std::string(kManifest), manifest_of(html).dump() + "\n"}, {std::string(kPage), std::string(html)}});
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
  try {
    Json manifest = Json::parse(files->front().second).value_or(Json());
    const std::string self = manifest.value("self", "");
    Json rest = manifest;
    if (rest.is_object()) rest.erase("self");
    if (manifest.dump() + "\n" != files->front().second || self != to_hex(sha256(rest.dump())) ||
        manifest.value("format", "") != kFormat) {
      check.changed.emplace_back("manifest.json");
      return check;
    }
    check.dataset = manifest.at("dataset").get<std::string>();
    check.dataset_digest = manifest.at("dataset_digest").get<std::string>();
    for (const Json& run : manifest.at("runs")) {
      check.runs.emplace_back(run.at(0).get<std::string>(), run.at(1).get<std::string>());
    }
    compare_blocks(manifest, html, check.changed);
    if (check.changed.empty() && manifest.at("sha256").get<std::string>() != to_hex(sha256(html))) {
      check.changed.emplace_back("report.html");
    }
  } catch (const JsonError&) {
    check.changed.emplace_back("manifest.json");
    return check;
  }
  const auto data = data_of_page(html);
  const auto rows = data ? rows_of_contributions(*data) : std::nullopt;
  if (!rows) return check;
  check.computed = true;
  check.differences = differences(rows_of_page(html), *rows, check.numbers);
  return check;
}

}  // namespace residue::page
