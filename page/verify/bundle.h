// A page with digests of its bytes, in one file: whoever has no store and no texts can still check all of it.
//
//   release ── release_page ──> report.html ──┬── tar ──> bundle
//   its bytes, block by block ──> manifest.json ──┘
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "page/verify/remade.h"

namespace residue::page {

inline constexpr std::size_t kBundleBlock = 512;  // bytes that have a digest of their own

// `html`: a page with proof, without ids and texts. Deterministic. The digest of a bundle is that of its bytes.
std::string bundle_of(std::string_view html);

struct BundleCheck {
  std::string digest;                   // SHA-256 of the bundle, hexadecimal: what the sender says it is
  std::vector<std::string> changed;     // "report.html, bytes 512 to 1023"
  Remade page;                          // whether the page is what its own data give
  std::string dataset, dataset_digest;  // what it is about
  std::vector<std::pair<std::string, std::string>> runs;  // name, digest of the texts

  [[nodiscard]] bool sound() const { return changed.empty() && page.fits(); }
};

// Checks every byte against the manifest, then writes the page again from its own data. That both fit shows that the
// bundle is in one piece, not who packed it. Throws Error{bad input} for what is no bundle at all, and as remade().
BundleCheck verify_bundle(std::string_view bytes);

}  // namespace residue::page
