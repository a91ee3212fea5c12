#include "query/agree/given_labels.h"

#include <utility>

#include "base/json.h"
#include "storage/catalog/sources/label_asked.h"

namespace residue::query {

std::vector<GivenLabel> given_labels(storage::Store& store, DatasetId dataset) {
  std::vector<GivenLabel> labels;
  storage::Statement find = store.db().prepare(storage::sql::kLabelAskedOfSupports);
  const auto reader = store.facts().read();
  find.bind(dataset);
  while (find.step()) {
    const Json payload = Json::parse(reader->text(find.id<TextId>(0))).value_or(Json());
    if (!payload.contains("passage") || !payload["passage"].is_string()) continue;
    GivenLabel label;
    label.record = std::string(find.text(1));
    label.person = find.text_or_null(2);
    label.annotator = std::string(find.text(3));
    label.run = find.text_or_null(4);
    label.claim = payload.value("claim_text", "");
    label.passage = payload["passage"].get<std::string>();
    label.claim_id = reader->find(label.claim).value_or(TextId{});
    label.passage_id = reader->find(label.passage).value_or(TextId{});
    label.rating = payload.value("rating", std::uint8_t{3});
    if (const auto blind = find.integer_or_null(5)) label.blind = *blind != 0;
    label.ms = find.integer_or_null(6);
    label.chosen = std::string(find.text(7));
    labels.push_back(std::move(label));
  }
  return labels;
}

}  // namespace residue::query
