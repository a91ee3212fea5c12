#include "query/judge/lexical_model.h"

#include "base/embedded.h"
#include "base/json.h"

namespace residue::query {

RESIDUE_EMBEDDED(lexical_weights)
RESIDUE_EMBEDDED(lexical_wordnet_weights)

namespace {

LexicalModel read_model(std::string_view document) { return model_of(Json::parse(document).value().at("model")); }

LexicalValidation read_validation(std::string_view document) {
  const Json json = Json::parse(document).value().at("validated");
  LexicalValidation v;
  json.at("labels").get_to(v.labels);
  json.at("pairs").get_to(v.pairs);
  json.at("records").get_to(v.records);
  json.at("digest").get_to(v.digest);
  json.at("spearman").at(0).get_to(v.spearman);
  json.at("spearman").at(1).get_to(v.low);
  json.at("spearman").at(2).get_to(v.high);
  v.wordnet = json.value("wordnet", "");
  const Json& unseen = json.at("unseen");
  unseen.at("labels").get_to(v.unseen.labels);
  unseen.at("pairs").get_to(v.unseen.pairs);
  unseen.at("records").get_to(v.unseen.records);
  unseen.at("supported").get_to(v.unseen.supported);
  unseen.at("called_unsupported").get_to(v.unseen.called_unsupported);
  unseen.at("spearman").at(0).get_to(v.unseen.spearman);
  unseen.at("spearman").at(1).get_to(v.unseen.low);
  unseen.at("spearman").at(2).get_to(v.unseen.high);
  return v;
}

}  // namespace

LexicalFeatures lexical_features(const text::SupportFeatures& f) {
  return {f.coverage, f.window_coverage, f.names, f.numbers, f.bigrams, f.missing};
}

Json model_json(const LexicalModel& model) {
  Json weights = Json::object();
  for (std::size_t i = 0; i < kLexicalFeatures.size(); ++i) weights[kLexicalFeatures[i]] = model.weights[i];
  return {{"version", model.version},
          {"weights", weights},
          {"thresholds", {{"same", model.same}, {"similar", model.similar}}},
          {"rules",
           {{"opposite", model.opposite}, {"rest_thirds", model.rest_thirds}, {"atomic_words", model.atomic_words}}}};
}

LexicalModel model_of(const Json& json) {
  LexicalModel model;
  json.at("version").get_to(model.version);
  for (std::size_t i = 0; i < kLexicalFeatures.size(); ++i) {
    json.at("weights").at(kLexicalFeatures[i]).get_to(model.weights[i]);
  }
  json.at("thresholds").at("same").get_to(model.same);
  json.at("thresholds").at("similar").get_to(model.similar);
  json.at("rules").at("opposite").get_to(model.opposite);
  json.at("rules").at("rest_thirds").get_to(model.rest_thirds);
  json.at("rules").at("atomic_words").get_to(model.atomic_words);
  return model;
}

const LexicalModel& lexical_model() {
  static const LexicalModel model = read_model(embedded_lexical_weights());
  return model;
}

const LexicalModel& lexical_wordnet_model() {
  static const LexicalModel model = read_model(embedded_lexical_wordnet_weights());
  return model;
}

const LexicalValidation& lexical_validation() {
  static const LexicalValidation validation = read_validation(embedded_lexical_weights());
  return validation;
}

const LexicalValidation& lexical_wordnet_validation() {
  static const LexicalValidation validation = read_validation(embedded_lexical_wordnet_weights());
  return validation;
}

}  // namespace residue::query
