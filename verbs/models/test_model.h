// `model test`: does a server answer, what does it understand, and how much does it read?
//
//   probe ── answers? ── probe_length ──> its limit, kept with the model; answers beyond it are taken back
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/probe/beyond.h"
#include "model/probe/probe.h"
#include "model/probe/probe_length.h"
#include "model/server/endpoint.h"
#include "storage/store.h"

namespace residue::verbs {

struct TestModelOptions {
  std::string name;
  std::uint64_t words = model::kWordsByDefault;  // of the longest passage that is tried; 0: none
  // Told before passages are sent, what they cost at most. May throw, to stop.
  std::function<void(const model::LengthCost& most)> long_passages_follow;
};

struct TestedModel {
  model::Endpoint endpoint;  // as it was before
  std::vector<model::Probe> probes;
  bool answers = false;       // in the form that it is asked in, or with vectors
  bool scores_words = false;  // says how probable the words of a text are
  model::BeyondReach beyond;  // answers to longer prompts than it reads, which were taken back
};

// All texts are invented: nothing of any dataset is sent. Throws as find_endpoint(), model::probe(), probe_length() and
// take_back_beyond().
TestedModel test_model(storage::Store& store, const TestModelOptions& options);

// Throws Error{io}, with what to try, for a server that neither answers nor says how probable words are.
void require_use(const TestedModel& tested);

}  // namespace residue::verbs
