// model test: does the server answer, and what does it understand?
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "model/tasks/probe.h"

namespace residue::cli {
namespace {

struct Flags {
  std::string name;
  bool raw = false;
};

int test(Context& context, const Flags& flags) {
  const auto store = open_store(context);
  const model::Endpoint endpoint = model::find_endpoint(store->db(), flags.name);
  const std::vector<model::Probe> probes = model::probe(*store, endpoint);
  Table table;
  table.columns = {{"tried", Type::kText, ""}, {"works", Type::kText, ""}, {"found", Type::kText, ""}};
  if (flags.raw) {
    table.columns.push_back({"status", Type::kInteger, ""});
    table.columns.push_back({"request", Type::kText, ""});
    table.columns.push_back({"reply", Type::kText, ""});
  }
  bool usable = false;
  for (const model::Probe& probe : probes) {
    usable = usable || (probe.works && probe.tried == model::needed(endpoint));
    table.rows.push_back({probe.tried, std::string(probe.works ? "yes" : "no"), probe.found});
    if (!flags.raw) continue;
    table.rows.back().emplace_back(std::int64_t{probe.status});
    table.rows.back().emplace_back(probe.request);
    table.rows.back().emplace_back(probe.reply);
  }
  context.out.table(table);
  context.out.flush();
  if (usable) {
    context.out.next("residue {} {}", endpoint.embedding ? "embed DATASET --with" : "eval DATASET --judge", flags.name);
    return 0;
  }
  if (model::finds_words_probable(probes)) {
    context.out.note(fmt::format("model {} answers no questions, but says how probable words are", flags.name));
    context.out.next("residue sanitize DATASET --with p-filter-model --run NAME --model {}", flags.name);
    return 0;
  }
  if (endpoint.embedding) {
    throw Error(Code::kIo, fmt::format("model {} gives no usable vectors", flags.name),
                "--raw shows what was sent and came back; residue model add with other --dimensions asks otherwise");
  }
  const bool several = endpoint.claims_per_request > 1;
  throw Error(Code::kIo,
              fmt::format("model {} gives no usable answer{} in the form {}", flags.name,
                          several ? fmt::format(" about {} claims at once", endpoint.claims_per_request) : "",
                          model::form_name(endpoint.asking.form)),
              fmt::format("--raw shows what was sent and came back; residue model add with --answer asks in another "
                          "form{}",
                          several ? ", with --claims-per-request about fewer" : ""));
}

}  // namespace

Command model_test_command() {
  return {.name = "model test",
          .group = Group::kLook,
          .summary = "ask a server about invented texts: does it work?",
          .usage = "NAME [--raw]",
          .details =
              "Tries the forms of answer, several answers at once, seeds, log probabilities of answers and of a text\n"
              "(p-filter-model needs those); of a server for embeddings dimensions and norm. Nothing of any dataset\n"
              "is sent. --raw shows each exchange as it went over the wire, without the API key.",
          .examples = {{"residue model test local", "before the first evaluation"},
                       {"residue model test local --raw --json", "what goes over the wire"}},
          .setup = [](Syntax& syntax) -> Run {
            auto flags = std::make_shared<Flags>();
            syntax.add("NAME", flags->name, "as given to model add").required();
            syntax.flag("--raw", flags->raw, "requests and replies as they are");
            return [flags](Context& context) { return test(context, *flags); };
          }};
}

}  // namespace residue::cli
