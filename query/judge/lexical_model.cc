#include "query/judge/lexical_model.h"

#include <algorithm>
#include <utility>

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
  for (const Json& set : json.at("unseen").elements()) {
    LexicalValidation::Unseen unseen;
    set.at("labels").get_to(unseen.labels);
    set.at("own_kind").get_to(unseen.own_kind);
    set.at("pairs").get_to(unseen.pairs);
    set.at("records").get_to(unseen.records);
    set.at("supported").get_to(unseen.supported);
    set.at("called_unsupported").get_to(unseen.called_unsupported);
    set.at("spearman").at(0).get_to(unseen.spearman);
    set.at("spearman").at(1).get_to(unseen.low);
    set.at("spearman").at(2).get_to(unseen.high);
    v.unseen.push_back(std::move(unseen));
  }
  return v;
}

}  // namespace

LexicalFeatures lexical_features(const text::SupportFeatures& f) {
  return {f.coverage, f.window_coverage, f.names, f.numbers, f.bigrams, f.missing, f.doubt, f.worst};
}

Json model_json(const LexicalModel& model) {
  Json weights = Json::object();
  for (std::size_t i = 0; i < kLexicalFeatures.size(); ++i) weights[kLexicalFeatures[i]] = model.weights[i];
  return {{"version", model.version},
          {"weights", weights},
          {"thresholds", {{"same", model.same}, {"similar", model.similar}}},
          {"rules",
           {{"opposite", model.opposite},
            {"rest_thirds", model.rest_thirds},
            {"least_thirds", model.least_thirds},
            {"atomic_words", model.atomic_words}}}};
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
  json.at("rules").at("least_thirds").get_to(model.least_thirds);
  json.at("rules").at("atomic_words").get_to(model.atomic_words);
  return model;
}

const LexicalValidation::Unseen& LexicalValidation::least_agreement() const {
  return *std::min_element(unseen.begin(), unseen.end(), [](const Unseen& a, const Unseen& b) {
    return a.own_kind != b.own_kind ? a.own_kind : a.spearman < b.spearman;
  });
}

const LexicalValidation::Unseen& LexicalValidation::most_flattering() const {
  return *std::min_element(unseen.begin(), unseen.end(), [](const Unseen& a, const Unseen& b) {
    return a.own_kind != b.own_kind ? a.own_kind : a.flattering() > b.flattering();
  });
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
