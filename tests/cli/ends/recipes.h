// A call of every command of the table, on the store of ends_test.cc and terminal_test.cc.
#pragma once

#include <map>
#include <string>

namespace residue::cli::testing {

struct Recipe {
  std::string words;  // what follows the command's name
  bool stuck = true;  // waits where standard output is full and input silent; else it only takes its time
  bool asks = false;  // has a request on its way: what is paid for is waited for, until a second signal
};

// How every command is made to wait. `silent` is a FIFO that nobody writes to.
inline const std::map<std::string, Recipe>& recipes() {
  static const std::map<std::string, Recipe> all = {
      {"plan", {"d --protocol bm25/first:2"}},
      {"eval", {"d --protocol bm25/first:1 --judge far", true, true}},
      {"work export", {"d/t --judge far --protocol bm25/first:1 --to todo", false}},
      {"work import", {"silent"}},
      {"status", {"d"}},
      {"report", {"d"}},
      {"verify-report", {"silent", false}},
      {"bundle", {"page.tar d", false}},
      {"verify-bundle", {"silent", false}},
      {"compare", {"d/t none --protocol bm25/first:1"}},
      {"leaks", {"d/t"}},
      {"show", {"d/r1"}},
      {"link", {"d/t lives"}},
      {"explain", {"d/t r1"}},
      {"search", {"d lives"}},
      {"history", {"d"}},
      {"serve", {"--port 0"}},
      {"view", {"past", false}},
      {"view save", {"past history", false}},
      {"view list", {"", false}},
      {"view rm", {"gone", false}},
      {"sql", {"SELECT"}},  // and nothing else: read below
      {"export", {"scores"}},
      {"export snapshot", {"snapshot.db", false}},
      {"export trec", {"d/t"}},
      {"export qrels", {"d"}},
      {"text rouge", {"-"}},
      {"text bleu", {"-"}},
      {"text jaro-winkler", {"-"}},
      {"text vader", {"- --lexicon silent"}},
      {"text diff", {"-"}},
      {"text stem", {"-"}},
      {"label", {"d/t --sample 5"}},
      {"rate next", {"d/t --annotator a"}},
      {"rate answer", {"d/t --annotator a --pair r1#1@1 --rating 1", false}},
      {"rate show", {"d"}},
      {"intruder next", {"d/t --annotator a"}},
      {"intruder search", {"d/t --annotator a --target 0 lives", false}},
      {"intruder read", {"d/t --annotator a --target 0 --text 1", false}},
      {"intruder answer", {"d/t --annotator a --target 0 --choice none --sure 50", false}},
      {"intruder tell", {"d/t --annotator a --target 0", false}},
      {"intruder show", {"d/t"}},
      {"canary check", {"notes.jsonl d/t", false}},
      {"judge list", {""}},
      {"judge show", {"lexical"}},
      {"judge rate", {"-"}},
      {"judge calibrate", {"--labels silent"}},
      {"judge selftest", {"lexical"}},
      {"judge unstable", {""}},
      {"judge explain-miss", {"lexical --all", false}},
      {"quick", {"notes.jsonl", false}},
      {"canary make", {"--n 1000 -o canaries.jsonl", false}},
      {"init", {"other", false}},
      {"model add", {"near --url http://127.0.0.1:1 --model m"}},
      {"model list", {""}},
      {"model show", {"far"}},
      {"model test", {"far"}},
      {"model rm", {"gone", false}},
      {"egress", {"--ledger"}},
      {"egress allow", {"d models.invalid", false}},
      {"egress revoke", {"d models.invalid", false}},
      {"ingest dataset", {"e -"}},
      {"ingest claims", {"d - --set more"}},
      {"ingest run", {"d/u -"}},
      {"ingest labels", {"d - --kind span"}},
      {"ingest vectors", {"d - --model mine"}},
      {"ingest judgments", {"-"}},
      {"ingest answers", {"d silent"}},
      {"ingest attempts", {"d/t -"}},
      {"atomize", {"d --with far --set asked", true, true}},
      {"paraphrase", {"d --set sentences --with far --into said", true, true}},
      {"embed", {"d --with vectors", true, true}},
      {"categorize", {"d --with far", true, true}},
      {"ask", {"d --task attributes --with far", true, true}},
      {"sanitize", {"d --with anonymize --model far --run asked", true, true}},
      {"restore", {"d/t -"}},
      {"tag", {"d/v x", false}},
      {"rename", {"d/v d/w", false}},
      {"rm", {"d/x --yes", false}},
      {"gc", {""}},
      {"purge", {"run d/y --yes", false}},
      {"backup", {"b.tar", false}},
      {"check", {""}},
      {"migrate", {"", false}},
      {"info", {""}},
      {"doctor", {""}},
      {"help", {""}},
      {"version", {""}},
  };
  return all;
}

}  // namespace residue::cli::testing
