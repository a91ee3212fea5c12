// Work for models that leaves as files: a small dataset, an endpoint, files and what became of them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/files/work_import.h"
#include "model/asking/egress.h"
#include "query/evaluate/work_export.h"
#include "query/judge/model_judge.h"
#include "query/judge/withdrawing.h"
#include "tests/query/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::query::testing {
using Json = nlohmann::json;

inline Json completion(int rating, const std::string& finish = "stop", int claims = 1) {
  Json ratings = Json::array();
  for (int i = 1; i <= claims; ++i) ratings.push_back({{"claim", i}, {"reason", "r"}, {"rating", rating}});
  const Json content = {{"ratings", ratings}};
  return {{"choices", {{{"finish_reason", finish}, {"message", {{"content", content.dump()}}}}}},
          {"model", "m"},
          {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 10}}}};
}

class Exchange : public QueryStore {
 protected:
  bool canaries_ = false;
  std::uint32_t claims_per_request_ = 1;

  void add_small() {
    add_records({record("a", "Ann keeps bees. She has two dogs."), record("b", "Bob repairs clocks. He is ill.")});
    add_claims(
        {claims("a", {"Ann keeps bees.", "She has two dogs."}), claims("b", {"Bob repairs clocks.", "He is ill."})});
    add_run("r", {variant("a", "Somebody keeps bees. She has two dogs."), variant("b", "A man repairs clocks.")});
    evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  }
  void use(const std::string& url, std::uint32_t votes = 1) {
    model::Endpoint endpoint;
    endpoint.name = "stub";
    endpoint.asking.model = "m";
    endpoint.asking.seed = 0;
    endpoint.votes = votes;
    endpoint.canaries = canaries_;
    endpoint.claims_per_request = claims_per_request_;
    endpoint.transport.url = url;
    endpoint.transport.price_in = 1;
    const auto batch = store().write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  EvalCounts evaluate_with() {
    EvalOptions options;
    options.protocols = {parse_protocol("bm25/first:1")};
    options.judge = "stub";
    options.retry.base = model::Millis(1);
    return evaluate(store(), {{"d", "r"}}, options);
  }
  Exported export_to(const std::string& folder, std::uint64_t lines = model::kBatchLines,
                     const std::string& judge = "stub") {
    ExportOptions options;
    options.eval.protocols = {parse_protocol("bm25/first:1")};
    options.eval.judge = judge;
    options.folder = dir_ / folder;
    options.lines_per_file = lines;
    return export_work(store(), {{"d", "r"}}, options);
  }
  std::vector<std::string> lines_of(const std::string& folder) {
    std::vector<std::string> lines;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(dir_ / folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) lines.push_back(line);
    }
    return lines;
  }
  std::vector<std::string> ids_of(const std::string& folder) {
    std::vector<std::string> ids;
    for (const std::string& line : lines_of(folder)) ids.push_back(Json::parse(line)["custom_id"]);
    return ids;
  }
  static std::string nested(const std::string& id, const Json& body, int status = 200) {
    return Json{{"custom_id", id}, {"response", {{"status_code", status}, {"body", body}}}, {"error", nullptr}}.dump();
  }
  ingest::ImportedWork import(const std::vector<std::string>& lines) {
    const std::filesystem::path file = dir_ / "done.jsonl";
    std::ofstream out(file);
    for (const std::string& line : lines) out << line << '\n';
    out.close();
    ingest::ImportWorkOptions options;
    options.withdraw = withdraw_judgments;
    return ingest::import_work(store(), file.string(), options);
  }
  // The ledger and the answers, to be held against themselves.
  std::string state() {
    std::string all;
    for (const std::string& row :
         rows("SELECT hex(vote) || n || state || coalesce(reason, '-') || bytes || "
              "coalesce(tokens_in, '-') || coalesce(cost, '-') FROM attempt ORDER BY vote, n")) {
      all += row + "\n";
    }
    store().facts().read()->each_answer([&](const storage::SavedAnswer& answer) {
      all += fmt::format("{} {}\n", answer.attempt, answer.envelope.substr(answer.envelope.find('\n')));
    });
    return all;
  }
};

}  // namespace residue::query::testing
