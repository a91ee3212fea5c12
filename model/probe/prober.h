// One request after another to an endpoint that is tried, each recorded in the ledger.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "model/probe/probe.h"
#include "model/server/endpoint.h"
#include "model/server/http_client.h"
#include "storage/store.h"

namespace residue::model {

inline constexpr std::string_view kProbePassage = "Ann keeps bees in a small town and has two dogs.";
inline constexpr std::string_view kProbeClaim = "Ann has two dogs.";
inline constexpr char kEchoProbe[] = "echo";

std::string together_name(const Endpoint& endpoint);

class Prober {
 public:
  Prober(storage::Store& store, const Endpoint& endpoint);

  // A request to rate claims about a passage.
  [[nodiscard]] Json body(AnswerForm form) const;
  [[nodiscard]] Json body(AnswerForm form, std::string_view passage, std::span<const std::string_view> claims) const;

  // Sends it; `found` is filled where there is nothing more to look at.
  Probe send(const std::string& tried, const Json& body);

  // Of `texts` invented ones.
  Probe vectors(const std::string& tried, std::string body, std::size_t texts);
  [[nodiscard]] const std::vector<std::vector<float>>& vectors() const { return vectors_; }

  Probe form(AnswerForm form);

  // As many claims at once as the endpoint is asked about.
  Probe together();

  // How probable the tokens of a prompt are: another interface of the same server.
  Probe prompt_probabilities();

  // Of the last answer: its words, and what its server counted.
  [[nodiscard]] const std::string& content() const { return content_; }
  [[nodiscard]] const Reading& reading() const { return reading_; }

 private:
  Probe exchange(const std::string& tried, std::string body, const std::string& call,
                 const std::function<Reading(int, std::string_view)>& read);

  // Some servers repeat the key that they do not know.
  [[nodiscard]] std::string without_key(std::string text) const;

  storage::Store& store_;
  const Endpoint& endpoint_;
  const storage::Lock in_flight_;
  const Sender sender_;
  const std::string key_;
  HttpClient http_;
  std::string content_;
  Reading reading_;
  std::vector<std::vector<float>> vectors_;
};

}  // namespace residue::model
