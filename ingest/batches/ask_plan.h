// What asking would send: nothing is sent, nothing changes.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/digest.h"
#include "model/tasks/task_asker.h"

namespace residue::ingest {

// What one model would be sent.
struct AskPlan {
  std::uint64_t questions = 0;                       // to ask about
  std::uint64_t known = 0;                           // of these, those for which nothing more is asked
  std::uint64_t requests = 0;                        // the others, equal questions once
  std::uint64_t bytes = 0;                           // of these requests
  std::unordered_map<VoteKey, std::uint64_t> votes;  // of these requests, with their bytes

  // One more question.
  void add(const storage::Facts::Reader& reader, const model::TaskAsker& asker, const model::TaskAsker::Texts& texts) {
    ++questions;
    if (asker.settled(reader, texts)) {
      ++known;
    } else if (const VoteKey vote = asker.vote(texts); !votes.contains(vote)) {
      put(vote, asker.body(texts).size());
    }
  }

  // The same of another interface: whether nothing more is asked for it, its vote key and the bytes of its request.
  void add(bool settled, const VoteKey& vote, std::uint64_t body_bytes) {
    ++questions;
    if (settled) {
      ++known;
    } else {
      put(vote, body_bytes);
    }
  }

  AskPlan& operator+=(const AskPlan& other) {
    questions += other.questions;
    known += other.known;
    for (const auto& [vote, size] : other.votes) put(vote, size);
    return *this;
  }

 private:
  void put(const VoteKey& vote, std::uint64_t size) {
    if (!votes.emplace(vote, size).second) return;
    ++requests;
    bytes += size;
  }
};

}  // namespace residue::ingest
