#include "text/predict/word_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "text/words/words.h"

namespace residue::text {
namespace {

using Document = std::vector<std::string>;
using Sentence = std::vector<std::string>;

WordModel model_of(const std::vector<Document>& documents) {
  WordModelTrainer trainer;
  for (const Document& document : documents) {
    const std::vector<std::string_view> utterances(document.begin(), document.end());
    trainer.add(utterances);
  }
  return trainer.finish();
}

// The definition, by counting in maps: "|" is the boundary, "?" a word never seen.
class Oracle {
 public:
  explicit Oracle(const std::vector<std::vector<Sentence>>& documents) {
    for (const auto& document : documents) {
      Sentence all = {"|", "|"};
      for (const Sentence& utterance : document) {
        all.insert(all.end(), utterance.begin(), utterance.end());
        all.emplace_back("|");
      }
      all.emplace_back("|");
      for (std::size_t i = 2; i < all.size(); ++i) ++triples_[{all[i - 2], all[i - 1], all[i]}];
    }
    std::map<int, int> times3, times2_left, times2_right, times1;
    for (const auto& [t, n] : triples_) {
      ++times3[n];
      behind_[{std::get<1>(t), std::get<2>(t)}].insert(std::get<0>(t));
      before_[{std::get<0>(t), std::get<1>(t)}].insert(std::get<2>(t));
    }
    std::map<std::string, int> types;
    for (const auto& [pair, words] : behind_) {
      ++times2_left[static_cast<int>(words.size())];
      ++types[pair.first];
    }
    for (const auto& [pair, words] : before_) {
      ++times2_right[static_cast<int>(words.size())];
      ++types[pair.second];
    }
    for (const auto& [_, n] : types) ++times1[n];
    types_ = types;
    d3_ = discount(times3);
    d2_left_ = discount(times2_left);
    d2_right_ = discount(times2_right);
    d1_ = discount(times1);
  }

  double probability(const std::string& w, const Sentence& n) const {
    return (left(w, n[0], n[1]) + right(w, n[2], n[3])) / 2;
  }
  [[nodiscard]] std::set<std::string> vocabulary() const {
    std::set<std::string> all = {"?"};
    for (const auto& [word, _] : types_) all.insert(word);
    return all;
  }

 private:
  static double discount(std::map<int, int> times) {
    return times[1] == 0 || times[2] == 0 ? 0.75 : times[1] / (times[1] + 2.0 * times[2]);
  }
  static double less(double n, double d) { return n > 0 ? n - d : 0; }

  double base(const std::string& w) const {
    double all = 0;
    for (const auto& [_, n] : types_) all += n;
    const double seen = static_cast<double>(types_.size());
    const auto found = types_.find(w);
    return less(found == types_.end() ? 0 : found->second, d1_) / all + d1_ * seen / all / (seen + 1);
  }
  double one_left(const std::string& w, const std::string& b) const {
    double all = 0, kinds = 0, own = 0;
    for (const auto& [pair, words] : behind_) {
      if (pair.first != b) continue;
      all += static_cast<double>(words.size());
      ++kinds;
      if (pair.second == w) own = static_cast<double>(words.size());
    }
    return all == 0 ? base(w) : (less(own, d2_left_) + d2_left_ * kinds * base(w)) / all;
  }
  double one_right(const std::string& w, const std::string& c) const {
    double all = 0, kinds = 0, own = 0;
    for (const auto& [pair, words] : before_) {
      if (pair.second != c) continue;
      all += static_cast<double>(words.size());
      ++kinds;
      if (pair.first == w) own = static_cast<double>(words.size());
    }
    return all == 0 ? base(w) : (less(own, d2_right_) + d2_right_ * kinds * base(w)) / all;
  }
  double left(const std::string& w, const std::string& a, const std::string& b) const {
    double all = 0, kinds = 0, own = 0;
    for (const auto& [t, n] : triples_) {
      if (std::get<0>(t) != a || std::get<1>(t) != b) continue;
      all += n;
      ++kinds;
      if (std::get<2>(t) == w) own = n;
    }
    return all == 0 ? one_left(w, b) : (less(own, d3_) + d3_ * kinds * one_left(w, b)) / all;
  }
  double right(const std::string& w, const std::string& c, const std::string& d) const {
    double all = 0, kinds = 0, own = 0;
    for (const auto& [t, n] : triples_) {
      if (std::get<1>(t) != c || std::get<2>(t) != d) continue;
      all += n;
      ++kinds;
      if (std::get<0>(t) == w) own = n;
    }
    return all == 0 ? one_right(w, c) : (less(own, d3_) + d3_ * kinds * one_right(w, c)) / all;
  }

  std::map<std::tuple<std::string, std::string, std::string>, int> triples_;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> behind_, before_;
  std::map<std::string, int> types_;
  double d3_ = 0, d2_left_ = 0, d2_right_ = 0, d1_ = 0;
};

const std::vector<Document> kDocuments = {{"My name is Ann", "hello Ann"},
                                          {"my name is Bob and my cat is Tom"},
                                          {"hello", "", "the cat is here and the dog is here"},
                                          {"is my dog here", "the dog is my dog"}};
const std::vector<std::vector<Sentence>> kWords = {
    {{"my", "name", "is", "ann"}, {"hello", "ann"}},
    {{"my", "name", "is", "bob", "and", "my", "cat", "is", "tom"}},
    {{"hello"}, {"the", "cat", "is", "here", "and", "the", "dog", "is", "here"}},
    {{"is", "my", "dog", "here"}, {"the", "dog", "is", "my", "dog"}}};

WordId id_of(const WordModel& model, const std::string& word) {
  return word == "|" ? WordModel::kBoundary : word == "?" ? WordModel::kUnknown : model.id(word);
}

WordModel::Neighbours ids_of(const WordModel& model, const Sentence& n) {
  return {id_of(model, n[0]), id_of(model, n[1]), id_of(model, n[2]), id_of(model, n[3])};
}

const std::vector<Sentence> kContexts = {
    {"name", "is", "and", "my"}, {"|", "|", "name", "is"}, {"my", "cat", "|", "|"},  {"?", "is", "?", "?"},
    {"?", "?", "?", "?"},        {"dog", "is", "|", "|"},  {"ann", "|", "ann", "|"}, {"here", "my", "is", "tom"}};

TEST(WordModel, IsTheDefinition) {
  const WordModel model = model_of(kDocuments);
  const Oracle oracle(kWords);
  for (const Sentence& context : kContexts) {
    for (const std::string& word : oracle.vocabulary()) {
      EXPECT_NEAR(model.probability(id_of(model, word), ids_of(model, context)), oracle.probability(word, context),
                  1e-12)
          << word << " in " << testing::PrintToString(context);
    }
  }
}

TEST(WordModel, IsADistribution) {
  const WordModel model = model_of(kDocuments);
  for (const Sentence& context : kContexts) {
    double sum = 0;
    for (WordId w = 0; w < model.words(); ++w) sum += model.probability(w, ids_of(model, context));
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(WordModel, ForgetsTheOrderOfDocuments) {
  std::vector<Document> turned(kDocuments.rbegin(), kDocuments.rend());
  const WordModel a = model_of(kDocuments), b = model_of(turned);
  EXPECT_EQ(a.probability(a.id("ann"), ids_of(a, kContexts[0])), b.probability(b.id("ann"), ids_of(b, kContexts[0])));
}

TEST(WordModel, NamesTheMostProbableWords) {
  const WordModel model = model_of(kDocuments);
  for (const Sentence& context : kContexts) {
    std::vector<std::pair<double, std::string>> all;
    for (WordId w = WordModel::kFirst; w < model.words(); ++w) {
      all.emplace_back(-model.probability(w, ids_of(model, context)), model.word(w));
    }
    std::sort(all.begin(), all.end());
    for (const std::size_t n : {1, 3, 100}) {
      const auto found = model.likeliest(ids_of(model, context), n);
      ASSERT_EQ(found.size(), std::min<std::size_t>(n, all.size()));
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(-found[i].probability, all[i].first);
        EXPECT_EQ(model.word(found[i].word), all[i].second);
      }
    }
  }
}

// Words of a skewed distribution, in utterances of up to twelve; every fifth repeats the one before.
std::vector<Document> drawn_documents(std::uint64_t seed, std::size_t words, std::size_t count) {
  std::vector<Document> documents;
  std::uint64_t draws = 0;
  const auto unit = [&] { return unit_draw(mix(hash_of(seed, "word", draws++))); };
  while (documents.size() < count) {
    Document document(1 + static_cast<std::size_t>(unit() * 3));
    for (std::string& utterance : document) {
      if (unit() < 0.2 && !documents.empty()) {
        utterance = documents.back().back();
        continue;
      }
      for (double left = 12 * unit(); left > 0; --left) {
        utterance += "w" + std::to_string(static_cast<int>(std::pow(static_cast<double>(words), unit()))) + " ";
      }
    }
    documents.push_back(std::move(document));
  }
  return documents;
}

TEST(WordModel, NamesTheMostProbableWordsOfAnyText) {
  struct Size {
    std::size_t words, documents;
  };
  for (const Size& size : {Size{5, 4}, {40, 30}, {300, 300}, {2000, 300}}) {
    const auto documents = drawn_documents(size.words, size.words, size.documents);
    const WordModel model = model_of(documents);
    std::uint64_t draws = 0;
    const auto any = [&] { return static_cast<WordId>(mix(hash_of(7, "id", draws++)) % (model.words() + 2)); };
    std::vector<WordModel::Neighbours> places;
    for (int i = 0; i < 20; ++i) places.push_back({any(), any(), any(), any()});
    // At the ends of a document, where most words were seen.
    const auto end = WordModel::kBoundary;
    for (int i = 0; i < 5; ++i) places.insert(places.end(), {{end, end, any(), any()}, {any(), any(), end, end}});
    for (std::size_t d = 0; d < documents.size() && places.size() < 80; ++d) {
      std::vector<WordId> ids{WordModel::kBoundary, WordModel::kBoundary};
      for_each_word(documents[d][0], [&](std::string_view word) { ids.push_back(model.id(word)); });
      ids.insert(ids.end(), {WordModel::kBoundary, WordModel::kUnknown});
      for (std::size_t i = 2; i + 2 < ids.size(); ++i)
        places.push_back({ids[i - 2], ids[i - 1], ids[i + 1], ids[i + 2]});
    }
    for (const WordModel::Neighbours& place : places) {
      std::vector<std::pair<double, std::string_view>> all;
      for (WordId w = WordModel::kFirst; w < model.words(); ++w) {
        all.emplace_back(-model.probability(w, place), model.word(w));
      }
      std::sort(all.begin(), all.end());
      for (const std::size_t n : {0, 1, 7, 50, 5000}) {
        SCOPED_TRACE(testing::Message() << n << " of " << all.size());
        const auto found = model.likeliest(place, n);
        ASSERT_EQ(found.size(), std::min(n, all.size()));
        for (std::size_t i = 0; i < found.size(); ++i) {
          ASSERT_EQ(-found[i].probability, all[i].first) << i;
          ASSERT_EQ(model.word(found[i].word), all[i].second) << i;
        }
      }
    }
  }
}

TEST(WordModel, OfNothingIsOneOfUnknownWords) {
  const WordModel model = model_of({});
  EXPECT_EQ(model.id("a"), WordModel::kUnknown);
  EXPECT_EQ(model.probability(WordModel::kUnknown, {}), 0.5);
  EXPECT_TRUE(model.likeliest({}, 3).empty());
}

}  // namespace
}  // namespace residue::text
