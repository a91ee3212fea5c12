// Questions about bees to the stub, in a store of their own.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/asking/answer.h"
#include "model/asking/asker.h"
#include "model/asking/vote_key.h"
#include "model/tasks/claim_support.h"
#include "tests/model/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {

class Asker : public ModelStore {
 protected:
  Asker() {
    endpoint_.name = "stub";
    endpoint_.asking.model = "stub-model";
    endpoint_.asking.max_tokens = 512;
    endpoint_.transport.timeout_s = 1;
    endpoint_.transport.price_in = 10;   // 100 tokens: 0.001 USD
    endpoint_.transport.price_out = 10;  // 10 tokens: 0.0001 USD
    options_.retry.base = Millis(1);
    options_.retry.cap = Millis(5);
    options_.retry.patience = Millis(2'000);
  }

  static std::string passage(std::size_t i) { return "Ann keeps " + std::to_string(i) + " bees."; }

  Questions questions(std::size_t count) {
    Questions all;
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<TextDigest> claim = {text_digest("claim")};
      all.list.push_back({i, vote_key(spec_digest("spec"), text_digest(passage(i)), claim, 0), 0, 0});
    }
    all.body = [this](std::size_t i, std::uint32_t) {
      const std::string_view claim = "Ann keeps";
      const auto messages = support_messages(support_template(), spec_digest("spec"), passage(i), std::span(&claim, 1));
      return chat_body(endpoint_.asking, 0, messages.system, messages.user, support_schema(1));
    };
    all.problem = [](std::size_t, const ChatReply& reply) { return parse_support(reply.content, 1).problem; };
    return all;
  }

  AskCounts run(stub::Server& server, const Questions& all) {
    endpoint_.transport.url = server.url();
    return ask(store(), endpoint_, "d", all, budget_, options_);
  }

  std::size_t saved_answers() {
    std::size_t count = 0;
    store().facts().read()->each_answer([&](const storage::SavedAnswer& answer) {
      (void)decode(answer.envelope);
      ++count;
    });
    return count;
  }

  Endpoint endpoint_;
  Budget budget_;
  AskOptions options_;
};

}  // namespace residue::model::testing
