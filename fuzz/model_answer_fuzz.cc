// What models and their servers say: read as an answer to each task, or refused with a reason.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.h"
#include "model/server/chat.h"
#include "model/tasks/claim_support.h"
#include "model/tasks/task.h"

namespace model = residue::model;

namespace {

constexpr int kTasks = static_cast<int>(model::TaskKind::kRespond) + 1;
constexpr std::string_view kText = "Ann, a nurse of 45, lives in York and has gout.";

void read_ratings(std::string_view content, std::size_t claims, model::AnswerForm form) {
  const std::vector<std::string> words(claims, "Ann is a nurse");
  for (const auto& answer : {model::parse_support(content, claims), model::parse_support(content, words, form)}) {
    FUZZ_CHECK(answer.ratings.empty() ? !answer.problem.empty() : answer.ratings.size() == claims);
    for (const auto rating : answer.ratings) FUZZ_CHECK(rating >= 1 && rating <= 3);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view content = residue::fuzz::view(data + 1, size - 1);
  const auto form = data[0] % 2 == 0 ? model::AnswerForm::kSchema : model::AnswerForm::kText;
  for (const std::size_t claims : {1U, 3U}) read_ratings(content, claims, form);
  model::TaskSetting setting;
  setting.kind = static_cast<model::TaskKind>(data[0] / 2 % kTasks);
  setting.items = model::default_items(setting.kind);
  const std::vector<std::string_view> texts(model::task_parts(setting.kind).size(), kText);
  const auto answer = model::parse_task(setting, form, texts, content);
  FUZZ_CHECK(answer.problem.empty() == !answer.answer.empty());
  FUZZ_CHECK(answer.answer.find('\0') == std::string::npos);
  (void)model::read_chat(200, content);
  (void)model::no_completion(content);
  (void)model::safe_reason(content);
  return 0;
}
