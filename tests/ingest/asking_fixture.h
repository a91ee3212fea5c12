// A store whose sanitizers ask a stub.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/files/dataset.h"
#include "ingest/sanitize/sanitize.h"
#include "model/server/endpoint.h"
#include "tests/ingest/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::ingest::testing {

// A dataset d, and the endpoint "local" that leads to a stub.
class AskingStore : public StoreTest {
 protected:
  AskingStore() {
    session_.options.retry.base = model::Millis(1);
    session_.options.retry.cap = model::Millis(5);
    point_to(server_);
  }
  void add(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest_dataset(store(), "d", source, file());
  }
  void point_to(const stub::Server& server, model::AnswerForm form = model::AnswerForm::kSchema,
                std::optional<std::string> revision = std::nullopt, const char* name = "local") {
    model::Endpoint endpoint;
    endpoint.name = name;
    endpoint.asking.model = "m";
    endpoint.asking.form = form;
    endpoint.asking.revision = std::move(revision);
    endpoint.transport.url = server.url();
    endpoint.transport.timeout_s = 5;
    endpoint.transport.concurrency = concurrency_;
    endpoint.transport.price_in = 1;
    const auto batch = store().write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  SanitizePlan plan(const char* method) {
    SanitizePlan plan;
    plan.method = method;
    plan.asking.model = "local";
    plan.asking.session = &session_;
    return plan;
  }
  SanitizeResult sanitize(const char* method, const char* run = "r", std::map<std::string, std::string> params = {}) {
    SanitizePlan how = plan(method);
    how.params = std::move(params);
    return sanitize_dataset(store(), "d", run, how, 2);
  }
  std::vector<std::string> texts(const char* run = "r") {
    return rows(fmt::format("SELECT r.key, v.text_id AS 'T:t', v.error FROM variant v JOIN record r ON r.id = "
                            "v.record_id JOIN run u ON u.id = v.run_id WHERE u.name = '{}' ORDER BY 1",
                            run)
                    .c_str());
  }

  std::uint32_t concurrency_ = 2;
  stub::Server server_;
  model::AskSession session_;
};

}  // namespace residue::ingest::testing
