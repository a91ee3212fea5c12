#include "model/asking/answered_as.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "model/asking/answer.h"
#include "model/asking/lost_answers.h"
#include "model/replies/answer_words.h"
#include "model/server/chat.h"
#include "storage/catalog/answers/attempt.h"

namespace residue::model {
namespace {

using storage::Statement;

constexpr std::size_t kLongest = 80;
constexpr std::int64_t kNewest = 64;

std::string printable(std::string_view name) {
  std::string out(name.substr(0, kLongest));
  for (char& c : out) {
    const bool usual = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("-._:/@+ ()").find(c) != std::string_view::npos;
    if (!usual) c = '?';
  }
  return out;
}

}  // namespace

ServerName name_in(const storage::Facts::Reader& answers, const VoteKey& vote, std::uint32_t attempt) {
  for (const storage::SavedAnswer& answer : answers.answers(vote)) {
    if (answer.attempt != attempt) continue;
    const Envelope envelope = decode(answer.envelope);
    const ChatReply reply = read_chat(envelope.status, envelope.body);
    return {printable(reply.model), printable(reply.fingerprint)};
  }
  return {};
}

std::vector<AnsweredAs> answered_as(storage::Store& store) {
  struct Seen {
    AnsweredAs as;
    std::vector<std::int64_t> ms;
  };
  std::map<std::pair<std::string, ServerName>, Seen> seen;
  std::vector<AnswerPlace> unread;
  const auto answers = store.facts().read();
  Statement row = store.db().prepare(storage::sql::kAttemptsSavedByTime);
  while (row.step()) {
    const ServerName name = name_in(*answers, VoteKey(row.text(1)), static_cast<std::uint32_t>(row.integer(2)));
    if (name == ServerName{}) unread.push_back({VoteKey(row.text(1)), static_cast<std::uint32_t>(row.integer(2))});
    auto [at, fresh] = seen.try_emplace({std::string(row.text(0)), name});
    Seen& one = at->second;
    if (fresh) one.as = {at->first.first, name, 0, row.integer(3), row.integer(3), 0};
    ++one.as.answers;
    one.as.last_ms = row.integer(3);
    one.ms.push_back(row.integer(4));
  }
  refuse_lost(storage::AnswerCheck::lost(store.facts(), unread).size());
  std::vector<AnsweredAs> all;
  for (auto& [key, one] : seen) {
    const auto middle = one.ms.begin() + static_cast<std::ptrdiff_t>((one.ms.size() - 1) / 2);
    std::nth_element(one.ms.begin(), middle, one.ms.end());
    one.as.median_ms = *middle;
    all.push_back(std::move(one.as));
  }
  std::ranges::stable_sort(all, [](const AnsweredAs& a, const AnsweredAs& b) {
    return std::tie(a.endpoint, a.first_ms, a.name) < std::tie(b.endpoint, b.first_ms, b.name);
  });
  return all;
}

std::string swapped_note(storage::Store& store, std::string_view endpoint) {
  std::vector<std::string> names;
  const auto answers = store.facts().read();
  Statement row = store.db().prepare(storage::sql::kAttemptsSavedOldestAndNewestOfModel);
  row.bind(endpoint, kNewest);
  while (row.step()) {
    std::string name = name_in(*answers, VoteKey(row.text(0)), static_cast<std::uint32_t>(row.integer(1))).model;
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (names.size() < 2) return {};
  std::ranges::sort(names);
  std::string words;
  for (std::size_t i = 0; i < names.size(); ++i) {
    words += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return fmt::format(
      "model {} answered as {}: its answers are not of one model; residue egress --models says when, and --revision "
      "tells models of one name apart",
      endpoint, words);
}

}  // namespace residue::model
