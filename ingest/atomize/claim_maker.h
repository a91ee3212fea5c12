// Who makes claims of texts: the embedded atomizer, or a model that is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "model/asking/asker.h"
#include "model/asking/saved_answers.h"
#include "model/tasks/text_task.h"
#include "storage/store.h"

namespace residue::ingest {

class ClaimMaker {
 public:
  virtual ~ClaimMaker() = default;

  // What the source of the set says; what stands before its '/' never replaces claims of another.
  [[nodiscard]] virtual const std::string& source() const = 0;

  // The claims of each text, in order: document order, not empty, each once. Nothing where they could not be made.
  virtual std::vector<std::optional<std::vector<std::string>>> make(std::span<const std::string_view> texts) = 0;

  // Inside the batch that stores them: what a reader of the source will look for.
  virtual void record(storage::Db& /*db*/) {}

  // Texts whose claims were withdrawn since it is there: replies that they were read from cannot be believed.
  [[nodiscard]] virtual std::uint64_t withdrawn() const { return 0; }

  // Why texts have no claims, for a sentence; empty if all have.
  [[nodiscard]] virtual std::string failures() const { return {}; }
};

// The embedded atomizer on `jobs` threads.
class SentenceMaker final : public ClaimMaker {
 public:
  explicit SentenceMaker(unsigned jobs);
  [[nodiscard]] const std::string& source() const override { return source_; }
  std::vector<std::optional<std::vector<std::string>>> make(std::span<const std::string_view> texts) override;

 private:
  unsigned jobs_;
  std::string source_;
};

// Asks a model to turn each text into others: claims, or a paraphrase. What was answered is never asked again.
class TextAsker {
 public:
  // About texts of `dataset`. Error{usage} for an endpoint that cannot chat, Error{bad input} for a template that
  // cannot be.
  TextAsker(storage::Store& store, model::TextTask task, model::Endpoint endpoint, std::string dataset,
            model::AskSession& session, model::TextTemplate instructions = std::nullopt);

  // By text; nothing where no answer can be used. Throws as model::ask().
  std::vector<std::optional<std::vector<std::string>>> ask(std::span<const std::string_view> texts);

  // "NAME/1f2e3d4c5b6a7988.1": endpoint, spec and parser.
  [[nodiscard]] std::string name(std::string_view between = {}) const;
  [[nodiscard]] const std::string& spec() const { return spec_; }

  // "truncated (2), refused (1)", of all that was asked.
  [[nodiscard]] std::string failures() const { return failures_.words(); }
  [[nodiscard]] const model::Endpoint& endpoint() const { return endpoint_; }
  [[nodiscard]] const model::AskCounts& counts() const { return session_.counts; }

 private:
  storage::Store& store_;
  const model::TextTask task_;
  const model::Endpoint endpoint_;
  const std::string dataset_;
  model::AskSession& session_;
  const model::TextTemplate template_;
  const std::string spec_;
  const SpecDigest digest_;
  model::Failures failures_;
};

// A model that is asked about each text; about a blank one it is not, that has no claims.
class ModelMaker final : public ClaimMaker {
 public:
  ModelMaker(storage::Store& store, model::Endpoint endpoint, std::string dataset, model::AskSession& session,
             model::TextTemplate instructions = std::nullopt);
  [[nodiscard]] const std::string& source() const override { return source_; }
  std::vector<std::optional<std::vector<std::string>>> make(std::span<const std::string_view> texts) override;
  void record(storage::Db& db) override;
  [[nodiscard]] std::uint64_t withdrawn() const override { return asker_.counts().withdrawn.claims; }
  [[nodiscard]] std::string failures() const override;

 private:
  TextAsker asker_;
  std::string source_;
};

}  // namespace residue::ingest
