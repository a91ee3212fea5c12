#include "query/inputs/texts.h"

#include "base/parallel_ranges.h"

namespace residue::query {

std::vector<std::string> load_texts(const storage::Store& store, std::span<const TextId> ids) {
  std::vector<std::string> texts(ids.size());
  parallel_ranges(ids.size(), 256, [&](const auto& range) {
    const auto reader = store.facts().read();
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      if (ids[i].value != 0) texts[i] = reader->text(ids[i]);
    }
  });
  return texts;
}

}  // namespace residue::query
