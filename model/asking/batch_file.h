// Batch files: requests as JSON Lines for whoever answers them later and elsewhere (OpenAI's batch interface and those
// that copy it, `vllm run-batch`), and the lines that come back.
//
//   {"custom_id": the vote key in base 32 (52 letters and digits), "-", the tokens that the prompt has at least
//    (read_whole.h): at most 64 characters, as servers want it, "method": "POST", "url": ..., "body": {as the client
//    sends it}}
//   {"custom_id": ..., "response": {"status_code": 200, "body": {...}}, "error": null}       in any order, in parts
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"

namespace residue::model {

// What servers take at most.
inline constexpr std::uint64_t kBatchLines = 50'000;
inline constexpr std::uint64_t kBatchBytes = 100'000'000;

// One request with its line break. `body`: JSON in one line.
std::string batch_line(const VoteKey& vote, std::string_view body);

// What one line says.
struct BatchAnswer {
  std::string problem;             // why it is no answer at all: "not JSON", "no custom_id", "a request, not an answer"
  std::optional<VoteKey> vote;     // nothing: the custom_id is no vote key
  std::uint64_t least_tokens = 0;  // of the prompt; 0: a file of an older version does not say
  bool failed = false;             // the server did not answer: nothing to save
  std::string reason;              // then: "HTTP 429", "error batch_expired"; nothing of the texts
  std::string line;                // and SHA-256 of the line, however it was written down
  int status = 200;
  std::string body;  // the reply as it came
};

// Nested (response.body), flat (body, or its fields beside custom_id), with errors; custom_id in either case.
BatchAnswer read_batch_line(std::string_view line);

// Whether two replies are one, however they were written down: equal as JSON without custom_id, else byte by byte.
bool same_reply(std::string_view a, std::string_view b);

struct BatchFile {
  std::string name;  // part-00001.jsonl
  std::uint64_t lines = 0, bytes = 0;
};

// Writes part-00001.jsonl, part-00002.jsonl ... into a folder, readable by their owner alone: synced under other names
// first, and all renamed at the end.
class BatchWriter {
 public:
  // Makes the folder if need be. Throws Error{usage} if it has parts already, Error{io}.
  BatchWriter(std::filesystem::path folder, std::uint64_t lines_per_file);
  ~BatchWriter();  // Without publish(): nothing stays.
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  // Throws Error{bad input} for a line that no file can hold, Error{io|try again}.
  void add(std::string_view line);

  // Gives the files their names.
  const std::vector<BatchFile>& publish();

 private:
  void close_file();
  [[nodiscard]] std::filesystem::path temporary(const std::string& name) const;

  std::filesystem::path folder_;
  std::uint64_t lines_per_file_;
  std::string open_;  // of the part that is being filled
  std::uint64_t open_lines_ = 0;
  std::vector<BatchFile> files_;
  bool published_ = false;
};

}  // namespace residue::model
