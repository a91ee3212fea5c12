#include "ingest/batches/variant_pages.h"

#include <fmt/format.h>

#include <utility>

#include "ingest/batches/progress.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/variant.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kPageVariants = 4096;
constexpr std::size_t kPageBytes = 16U << 20U;

// The + keeps SQLite on the ids: by the index of the run it would sort all that is left, for each page.
constexpr std::string_view kPage = storage::sql::kVariantPageWithKey;

}  // namespace

VariantPages::VariantPages(storage::Store& store, std::string_view dataset, std::string_view run)
    : store_(store), run_(storage::find_run(store.db(), dataset, run)), page_(store.db().prepare(kPage)) {
  check_complete(store.db(), fmt::format("run {}/{}", dataset, run));
  storage::Statement count = store.db().prepare(storage::sql::kVariantCountOfRun);
  if (count.bind(run_).step()) total_ = static_cast<std::uint64_t>(count.integer(0));
}

bool VariantPages::next(std::vector<VariantPage>& variants) {
  variants.clear();
  const storage::ReadTransaction snapshot(store_.db());
  const auto texts = store_.facts().read();
  std::size_t bytes = 0;
  page_.bind(run_, last_, static_cast<std::int64_t>(kPageVariants));
  while (bytes < kPageBytes && page_.step()) {
    VariantPage variant{page_.id<VariantId>(0), std::nullopt, std::nullopt, std::string(page_.text(2)), {}};
    if (!page_.is_null(3)) variant.spans_id = page_.id<TextId>(3);
    if (!page_.is_null(1)) {
      variant.text_id = page_.id<TextId>(1);
      variant.text = texts->text(*variant.text_id);
    }
    bytes += variant.text.size();
    variants.push_back(std::move(variant));
  }
  page_.reset();
  if (!variants.empty()) last_ = variants.back().id;
  return !variants.empty();
}

}  // namespace residue::ingest
