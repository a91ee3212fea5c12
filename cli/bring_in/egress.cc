// egress: what left this machine, and what may.
#include "verbs/models/egress.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "model/asking/answered_as.h"
#include "model/asking/lost_answers.h"

namespace residue::cli {
namespace {

struct Flags {
  bool ledger = false, rules = false, models = false;
  std::uint64_t limit = 0;
};

Table sums_table(const std::vector<model::EgressSum>& sums) {
  Table table;
  table.columns = {{"host", Type::kText, ""},
                   {"leaves", Type::kText, "leaves this machine"},
                   {"model", Type::kText, ""},
                   {"dataset", Type::kText, ""},
                   {"requests", Type::kInteger, ""},
                   {"bytes", Type::kBytes, ""},
                   {"saved", Type::kInteger, ""},
                   {"invalid", Type::kInteger, ""},
                   {"refused", Type::kInteger, ""},
                   {"unknown", Type::kInteger, ""},
                   {"not_sent", Type::kInteger, "not sent"},
                   {"tokens_in", Type::kInteger, ""},
                   {"tokens_out", Type::kInteger, ""},
                   {"cost_usd", Type::kReal, ""}};
  for (const model::EgressSum& sum : sums) {
    table.rows.push_back({sum.host, std::string(sum.loopback ? "no" : "yes"), sum.model, sum.dataset,
                          cell(sum.requests), cell(sum.bytes), cell(sum.saved), cell(sum.invalid), cell(sum.refused),
                          cell(sum.unknown), cell(sum.not_sent), cell(sum.tokens_in), cell(sum.tokens_out),
                          sum.cost_usd});
  }
  return table;
}

// `damaged`: how many rows are of answers that are lost.
Table ledger_table(storage::Store& store, std::uint64_t limit, std::size_t& damaged) {
  Table table;
  table.columns = {{"sent_at", Type::kText, ""},    {"host", Type::kText, ""},       {"model", Type::kText, ""},
                   {"dataset", Type::kText, ""},    {"bytes", Type::kInteger, ""},   {"state", Type::kText, ""},
                   {"reason", Type::kText, ""},     {"attempt", Type::kInteger, ""}, {"body_sha256", Type::kText, ""},
                   {"vote", Type::kText, ""},       {"ms", Type::kInteger, ""},      {"answered_as", Type::kText, ""},
                   {"fingerprint", Type::kText, ""}};
  for (const model::EgressRow& row : model::egress_ledger(store, limit)) {
    if (row.state == model::kDamaged) ++damaged;
    table.rows.push_back({utc(row.sent_ms), row.host, row.model, row.dataset, cell(row.bytes), row.state, row.reason,
                          cell(std::uint64_t{row.attempt}), row.body_sha256, row.vote, row.ms ? Cell(*row.ms) : Cell(),
                          row.answered_as, row.fingerprint});
  }
  return table;
}

Table models_table(storage::Store& store) {
  Table table;
  table.columns = {{"model", Type::kText, ""},
                   {"answered_as", Type::kText, "answered as"},
                   {"fingerprint", Type::kText, ""},
                   {"answers", Type::kInteger, ""},
                   {"first", Type::kText, ""},
                   {"last", Type::kText, ""},
                   {"median_ms", Type::kInteger, "ms, median"}};
  for (const model::AnsweredAs& one : model::answered_as(store)) {
    table.rows.push_back({one.endpoint, one.name.model, one.name.fingerprint, cell(one.answers), utc(one.first_ms),
                          utc(one.last_ms), Cell(one.median_ms)});
  }
  return table;
}

Table rules_table(storage::Db& db) {
  Table table;
  table.columns = {{"dataset", Type::kText, ""}, {"host", Type::kText, ""}};
  for (const model::EgressRule& rule : model::egress_rules(db)) table.rows.push_back({rule.dataset, rule.host});
  return table;
}

int egress(Context& context, const Flags& flags) {
  const auto store = open_store(context);
  if (flags.rules) {
    context.out.table(rules_table(store->db()));
  } else if (flags.ledger) {
    std::size_t damaged = 0;
    context.out.table(ledger_table(*store, flags.limit, damaged));
    if (damaged > 0) context.out.finish();  // the error that follows would take it back
    model::refuse_lost(damaged);
  } else if (flags.models) {
    context.out.table(models_table(*store));
  } else {
    const verbs::Egress all = verbs::egress(*store);
    context.out.table(sums_table(all.sums));
    context.out.flush();
    if (all.uncounted_usd > 0) {
      context.out.note(fmt::format(
          "{:.4f} USD of the costs are at most: what the servers did not count is what was set aside for it",
          all.uncounted_usd));
    }
    for (const std::string& note : all.swapped) context.out.note(note);
  }
  return 0;
}

}  // namespace

Command egress_command() {
  return {.name = "egress",
          .group = Group::kLook,
          .summary = "what was sent to models, and where to",
          .usage = "[--ledger [--limit N] | --models | --rules]",
          .details =
              "Every request to a model is recorded before it is sent: its host, its size, the SHA-256 of its body, "
              "the dataset that the rule is about it holds, and how it ended.\n"
              "  saved     a usable answer came\n"
              "  invalid   an answer came that cannot be used\n"
              "  refused   the server did not work on it\n"
              "  unknown   nobody knows whether the server did; it may have to be paid\n"
              "  not sent  no connection was made, so nothing left\n"
              "  damaged   an answer came and is lost: the store is damaged (exit code 5)",
          .examples = {{"residue egress", "sums by host, model and dataset"},
                       {"residue egress --ledger --csv", "every request"},
                       {"residue egress --models", "whether a server changed its model behind its name"},
                       {"residue egress --rules", "which dataset may be sent where"}},
          .paged = true,
          .setup = [](Syntax& syntax) -> Run {
            auto flags = std::make_shared<Flags>();
            syntax.flag("--ledger", flags->ledger, "every request, oldest first");
            syntax.flag("--rules", flags->rules, "what is allowed").excludes("--ledger");
            syntax
                .flag("--models", flags->models,
                      "what servers called themselves in their answers, and how long they took")
                .excludes("--ledger")
                .excludes("--rules");
            syntax.add("--limit", flags->limit, "of the ledger, the newest N").needs("--ledger");
            return [flags](Context& context) { return egress(context, *flags); };
          }};
}

namespace {

struct Words {
  std::string dataset, host;
};

// What a rule says of this machine: nothing.
std::string about_this_machine(const std::string& host) {
  return fmt::format("{} is this machine: texts may be sent there without permission, and nothing leaves", host);
}

std::shared_ptr<Words> add_words(Syntax& syntax) {
  auto words = std::make_shared<Words>();
  syntax.add("DATASET", words->dataset, "the dataset that the rule is about").required();
  syntax.add("HOST", words->host, "the name of a host, or an address that contains it").required();
  return words;
}

}  // namespace

Command egress_allow_command() {
  return {.name = "egress allow",
          .group = Group::kBringIn,
          .summary = "allow a dataset's texts to be sent to a host",
          .usage = "DATASET HOST",
          .details =
              "Without a rule, texts are sent only to models on this machine. A rule lets original claims and "
              "sanitized texts leave it, so read the licence of the data first.",
          .examples = {{"residue egress allow clinic api.example.com", "one dataset and one host"}},
          .setup = [](Syntax& syntax) -> Run {
            auto words = add_words(syntax);
            return [words](Context& context) {
              const auto store = open_store(context);
              const bool fresh = model::allow_egress(*store, words->dataset, words->host);
              context.out.note(model::is_this_machine(words->host)
                                   ? about_this_machine(words->host)
                                   : fmt::format("texts of {} {} be sent to {}", words->dataset,
                                                 fresh ? "may now" : "could already", words->host));
              return 0;
            };
          }};
}

Command egress_revoke_command() {
  return {.name = "egress revoke",
          .group = Group::kBringIn,
          .summary = "no longer allow a dataset's texts to be sent to a host",
          .usage = "DATASET HOST",
          .details =
              "The rule ends with the next request. A command that is already asking goes on. The ledger keeps what "
              "was sent.",
          .examples = {{"residue egress revoke clinic api.example.com", "one dataset and one host"}},
          .setup = [](Syntax& syntax) -> Run {
            auto words = add_words(syntax);
            return [words](Context& context) {
              const auto store = open_store(context);
              const bool gone = model::revoke_egress(*store, words->dataset, words->host);
              context.out.note(model::is_this_machine(words->host)
                                   ? about_this_machine(words->host)
                                   : fmt::format("texts of {} {} be sent to {}", words->dataset,
                                                 gone ? "may no longer" : "were not allowed to", words->host));
              return 0;
            };
          }};
}

}  // namespace residue::cli
