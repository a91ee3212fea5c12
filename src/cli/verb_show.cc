// show: one dataset, run, record or claim, with its texts and why each claim was rated as it was.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/output.h"
#include "query/judge.h"
#include "query/show.h"
#include "query/texts.h"
#include "text/unicode.h"

namespace residue::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string reference, run, protocol, judge;
  bool record = false;
};

constexpr std::size_t kDefaultWidth = 100;

// `text` in lines of the terminal's width, each behind `indent` spaces; safe to print.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::size_t room = width > indent + 20 ? width - indent : 20;
  const std::string safe = text::escape_controls(text);
  const std::string margin(indent, ' ');
  std::string out;
  std::string line;
  std::size_t at = 0;
  const auto end_line = [&] {
    out += line.empty() ? "\n" : margin + line + '\n';
    line.clear();
  };
  while (at <= safe.size()) {
    const std::size_t stop = std::min(safe.find_first_of(" \n", at), safe.size());
    const std::string word = safe.substr(at, stop - at);
    if (!line.empty() && text::display_width(line) + 1 + text::display_width(word) > room) end_line();
    line += line.empty() || word.empty() ? word : ' ' + word;
    if (stop == safe.size()) break;
    if (safe[stop] == '\n') end_line();
    at = stop + 1;
  }
  end_line();
  return out;
}

std::string one_line(std::string_view text) { return text::escape_controls(text, text::Breaks::kEscape); }

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// One look at the store and everything that printing needs.
struct View {
  Context& context;
  storage::Store& store;
  std::size_t width;
  std::optional<query::Lens> lens;  // nothing: not evaluated yet

  [[nodiscard]] std::string text(TextId id) const { return query::load_texts(store, std::vector<TextId>{id}).front(); }
  void write(const std::string& words) const { context.out.write(words); }
  [[nodiscard]] bool json() const { return context.out.wants_json(); }
};

// --- dataset, run ---

Json json_of(const query::RunCard& run) {
  Json json = {{"run", run.run},          {"kind", run.kind},
               {"sanitizer", nullptr},    {"params", Json::parse(run.params, nullptr, false)},
               {"seed", nullptr},         {"group", nullptr},
               {"records", run.variants}, {"failed", run.failed}};
  if (run.sanitizer) json["sanitizer"] = *run.sanitizer;
  if (run.seed) json["seed"] = *run.seed;
  if (run.group) json["group"] = *run.group;
  json["errors"] = Json::array();
  for (const auto& [error, count] : run.errors) json["errors"].push_back({{"error", error}, {"records", count}});
  return json;
}

void show_dataset(const View& view, const query::DatasetCard& card) {
  if (view.json()) {
    Json json = {{"dataset", card.dataset}, {"records", card.records}, {"persons", card.persons}};
    json["claim_sets"] = Json::array();
    for (const auto& set : card.claim_sets) {
      json["claim_sets"].push_back(
          {{"name", set.name}, {"source", set.source}, {"claims", set.claims}, {"records", set.records}});
    }
    json["runs"] = Json::array();
    for (const auto& run : card.runs) json["runs"].push_back(json_of(run));
    view.context.out.json(json);
    return;
  }
  view.write(fmt::format("dataset {}: {} records{}\n\n", card.dataset, card.records,
                         card.persons > 0 ? fmt::format(" of {} persons", card.persons) : ""));
  Table sets;
  sets.columns = {{"claim_set", Type::kText, "claim set"},
                  {"source", Type::kText, ""},
                  {"claims", Type::kInteger, ""},
                  {"records", Type::kInteger, ""}};
  for (const auto& set : card.claim_sets) {
    sets.rows.push_back({Cell(set.name), Cell(set.source), Cell(set.claims), Cell(set.records)});
  }
  if (!sets.rows.empty()) view.write(render_table(sets, view.context.out.look()) + "\n");
  Table runs;
  runs.columns = {{"run", Type::kText, ""},   {"kind", Type::kText, ""},       {"sanitizer", Type::kText, ""},
                  {"group", Type::kText, ""}, {"records", Type::kInteger, ""}, {"failed", Type::kInteger, ""}};
  for (const auto& run : card.runs) {
    runs.rows.push_back(
        {Cell(run.run), Cell(run.kind), cell(run.sanitizer), cell(run.group), Cell(run.variants), Cell(run.failed)});
  }
  view.write(render_table(runs, view.context.out.look()));
}

// The run's numbers, where it was evaluated.
const query::ReportRun* metrics_of(const query::Report& report, const std::string& run) {
  for (const query::ReportRun& one : report.runs) {
    if (one.run == run && one.evaluated) return &one;
  }
  return nullptr;
}

void show_run(const View& view, const std::string& dataset, const query::RunCard& card, const Options& options) {
  std::optional<query::Report> report;
  const query::ReportRun* numbers = nullptr;
  if (view.lens) {
    query::ReportOptions wanted;
    wanted.dataset = dataset;
    wanted.protocols = options.protocol;
    if (!options.judge.empty()) wanted.judge = options.judge;
    report = query::load_report(view.store, wanted);
    numbers = metrics_of(*report, card.run);
  }
  if (view.json()) {
    Json json = json_of(card);
    json["dataset"] = dataset;
    json["protocol"] = report ? Json(report->protocol) : Json(nullptr);
    json["judge"] = report ? Json(report->judge) : Json(nullptr);
    json["metrics"] = Json(nullptr);
    if (numbers != nullptr) {
      json["metrics"] = Json::object();
      for (const auto& [id, metric] : numbers->metrics) {
        const std::string name(query::definition(id).name);
        json["metrics"][name] = metric.all.value ? Json(*metric.all.value) : Json(nullptr);
        if (!metric.bins.empty()) json["metrics"][name] = metric.bins;
      }
    }
    view.context.out.json(json);
    return;
  }
  view.write(
      fmt::format("run {}/{}: {}, {} records, {} failed\n", dataset, card.run, card.kind, card.variants, card.failed));
  if (card.sanitizer) view.write(fmt::format("sanitizer {}  {}\n", one_line(*card.sanitizer), one_line(card.params)));
  if (card.seed) view.write(fmt::format("seed {}\n", *card.seed));
  if (card.group) view.write(fmt::format("group {}\n", one_line(*card.group)));
  for (const auto& [error, count] : card.errors) view.write(fmt::format("  {} failed: {}\n", count, one_line(error)));
  if (numbers == nullptr) {
    view.write("\nnot evaluated yet\n");
    return;
  }
  view.write(fmt::format("\nunder {} by {}{}\n\n", report->protocol, report->judge, numbers->stale ? ", STALE" : ""));
  Table table;
  table.columns = {{"metric", Type::kText, ""},    {"value", Type::kReal, ""}, {"low", Type::kReal, ""},
                   {"high", Type::kReal, ""},      {"n", Type::kInteger, ""},  {"failed", Type::kInteger, ""},
                   {"missing", Type::kInteger, ""}};
  for (const auto& definition : query::metric_definitions()) {
    const auto found = numbers->metrics.find(definition.id);
    if (found == numbers->metrics.end() || !found->second.bins.empty()) continue;
    const query::MetricValue& value = found->second.all;
    table.rows.push_back({Cell(std::string(definition.name)), cell(value.value), cell(value.low), cell(value.high),
                          Cell(value.n), Cell(value.failed), Cell(value.missing)});
  }
  view.write(render_table(table, view.context.out.look()));
}

// --- record ---

std::string state_of(const query::VariantCard& variant) {
  return variant.error.empty() ? variant.state : variant.state + ": " + one_line(variant.error);
}

std::string claim_head(const query::ClaimCard& claim) {
  return fmt::format("#{}{}", claim.n,
                     claim.categories.empty() ? "" : fmt::format(" [{}]", one_line(joined(claim.categories))));
}

void show_record(const View& view, const query::RecordCard& card) {
  if (view.json()) {
    Json json = {{"dataset", card.dataset}, {"record", card.record}, {"person", nullptr}, {"label", nullptr}};
    if (card.person) json["person"] = *card.person;
    if (card.label) json["label"] = *card.label;
    json["text"] = view.text(card.text);
    json["claim_set"] = card.claim_set;
    json["claims"] = Json::array();
    for (const auto& claim : card.claims) {
      json["claims"].push_back({{"n", claim.n}, {"claim", view.text(claim.text)}, {"categories", claim.categories}});
    }
    json["runs"] = Json::array();
    for (const auto& variant : card.variants) {
      Json one = {{"run", variant.run}, {"state", variant.state}, {"error", nullptr}, {"text", nullptr}};
      if (!variant.error.empty()) one["error"] = variant.error;
      if (variant.state == "ok") one["text"] = view.text(variant.text);
      json["runs"].push_back(std::move(one));
    }
    view.context.out.json(json);
    return;
  }
  view.write(fmt::format("record {}/{}{}{}\n\noriginal\n", card.dataset, one_line(card.record),
                         card.person ? ", person " + one_line(*card.person) : "",
                         card.label ? ", label " + one_line(*card.label) : ""));
  view.write(wrapped(view.text(card.text), 2, view.width));
  view.write(card.claims.empty() ? "\nno claims\n" : fmt::format("\nclaims ({})\n", card.claim_set));
  for (const auto& claim : card.claims) {
    view.write(wrapped(claim_head(claim) + " " + view.text(claim.text), 2, view.width));
  }
  for (const auto& variant : card.variants) {
    if (variant.run == "none" && variant.state == "ok") continue;  // the original again
    view.write(fmt::format("\n{} ({})\n", variant.run, state_of(variant)));
    if (variant.state == "ok") view.write(wrapped(view.text(variant.text), 2, view.width));
  }
}

// --- record in a run, claim over runs ---

constexpr std::array<std::string_view, 4> kRatingNames = {"", "1 same", "2 similar", "3 unsupported"};

std::optional<std::uint8_t> rating_of(const query::AttackCard& attack, std::uint32_t n) {
  for (const auto& judged : attack.ratings) {
    if (judged.n == n) return judged.rating;
  }
  if (attack.evaluated && attack.linked_text.value == 0) return std::uint8_t{3};  // nothing found, nothing learned
  return std::nullopt;
}

bool is_known(const query::AttackCard& attack, std::uint32_t n) {
  return std::find(attack.known.begin(), attack.known.end(), n) != attack.known.end();
}

std::string outcome(const query::AttackCard& attack) {
  if (!attack.evaluated) return "not attacked";
  if (!attack.linked) return "not linked";
  const std::string tied = attack.tied > 0 ? fmt::format(", {} tied", attack.tied) : "";
  if (!attack.right) return fmt::format("linked to {}{}", one_line(attack.linked_key), tied);
  return fmt::format("linked to {} ({}{})", one_line(attack.linked_key), *attack.right ? "right" : "wrong", tied);
}

Json attack_json(const query::AttackCard& attack) {
  Json json = {{"outcome", nullptr}, {"linked", nullptr}, {"tied", attack.tied}};
  if (attack.linked) json["linked"] = attack.linked_key;
  if (attack.evaluated && !attack.linked) json["outcome"] = "not_linked";
  if (attack.right) json["outcome"] = *attack.right ? "right" : "wrong";
  return json;
}

void show_attack(const View& view, const query::RecordCard& card, const std::string& run) {
  const query::AttackCard attack = query::load_attack(view.store.db(), *view.lens, run, card.record);
  const auto own = std::find_if(card.variants.begin(), card.variants.end(),
                                [&](const query::VariantCard& variant) { return variant.run == run; });
  const auto judge = query::make_judge(view.lens->judge_name);
  const std::string linked = view.text(attack.linked_text);
  Json json = {{"dataset", card.dataset},
               {"record", card.record},
               {"run", run},
               {"protocol", view.lens->spec.name()},
               {"judge", view.lens->judge_name},
               {"text", view.text(card.text)},
               {"state", own->state},
               {"sanitized", nullptr}};
  if (own->state == "ok") json["sanitized"] = view.text(own->text);
  json.update(attack_json(attack));
  json["linked_text"] = attack.linked ? Json(linked) : Json(nullptr);
  json["claims"] = Json::array();
  std::string out =
      fmt::format("record {}/{} in run {}\nunder {} by {}: {}\n\noriginal\n", card.dataset, one_line(card.record), run,
                  view.lens->spec.name(), view.lens->judge_name, outcome(attack));
  out += wrapped(view.text(card.text), 2, view.width);
  out += fmt::format("\nsanitized ({})\n", state_of(*own));
  if (own->state == "ok") out += wrapped(view.text(own->text), 2, view.width);
  if (attack.linked && !attack.right.value_or(false)) {
    out += fmt::format("\nlinked text ({})\n", one_line(attack.linked_key)) + wrapped(linked, 2, view.width);
  }
  out += "\nclaims\n";
  for (const auto& claim : card.claims) {
    const std::string text = view.text(claim.text);
    const bool known = is_known(attack, claim.n);
    const auto rating = rating_of(attack, claim.n);
    Json one = {{"n", claim.n},      {"claim", text},  {"known", known},
                {"rating", nullptr}, {"why", nullptr}, {"evidence", nullptr}};
    if (rating) one["rating"] = *rating;
    const std::string verdict = known    ? "known to the attacker"
                                : rating ? std::string(kRatingNames.at(*rating))
                                         : "not rated";
    out += wrapped(claim_head(claim) + " " + text, 2, view.width) + wrapped("→ " + verdict, 6, view.width);
    if (rating && !known && attack.linked_text.value != 0) {
      const query::Explanation why = judge->explain(linked, text);
      const std::string evidence = linked.substr(why.window_begin, why.window_end - why.window_begin);
      one["why"] = why.sentence;
      one["evidence"] = evidence;
      out += wrapped(why.sentence, 6, view.width);
      if (!evidence.empty() && *rating <= 2) out += wrapped("“" + evidence + "”", 6, view.width);
    }
    json["claims"].push_back(std::move(one));
  }
  if (view.json()) {
    view.context.out.json(json);
  } else {
    view.write(out);
  }
}

void show_claim(const View& view, const query::RecordCard& card, std::uint32_t n) {
  const auto claim =
      std::find_if(card.claims.begin(), card.claims.end(), [&](const query::ClaimCard& one) { return one.n == n; });
  if (claim == card.claims.end()) {
    throw Error(
        Code::kNotFound,
        fmt::format("record {}/{} has no claim #{} in the set \"{}\"", card.dataset, card.record, n, card.claim_set),
        fmt::format("it has {} claims", card.claims.size()));
  }
  Table table;
  table.columns = {{"run", Type::kText, ""}, {"rating", Type::kText, ""}, {"link", Type::kText, ""}};
  Json runs = Json::array();
  for (const auto& variant : card.variants) {
    const query::AttackCard attack =
        view.lens ? query::load_attack(view.store.db(), *view.lens, variant.run, card.record) : query::AttackCard();
    const auto rating = rating_of(attack, n);
    const bool known = is_known(attack, n);
    Json one = {{"run", variant.run}, {"state", variant.state}, {"known", known}, {"rating", nullptr}};
    if (rating) one["rating"] = *rating;
    one.update(attack_json(attack));
    runs.push_back(std::move(one));
    const std::string verdict = known ? "known" : rating ? std::string(kRatingNames.at(*rating)) : "-";
    table.rows.push_back({Cell(variant.run), Cell(verdict), Cell(outcome(attack))});
  }
  if (view.json()) {
    view.context.out.json({{"dataset", card.dataset},
                           {"record", card.record},
                           {"n", n},
                           {"claim", view.text(claim->text)},
                           {"categories", claim->categories},
                           {"protocol", view.lens ? Json(view.lens->spec.name()) : Json(nullptr)},
                           {"judge", view.lens ? Json(view.lens->judge_name) : Json(nullptr)},
                           {"runs", runs}});
    return;
  }
  view.write(fmt::format("claim {}/{}{}\n", card.dataset, one_line(card.record), claim_head(*claim)));
  view.write(wrapped(view.text(claim->text), 2, view.width) + "\n");
  if (view.lens) view.write(fmt::format("under {} by {}\n\n", view.lens->spec.name(), view.lens->judge_name));
  view.write(render_table(table, view.context.out.look()));
}

// Nothing where nothing was evaluated yet, and nothing special was asked for.
std::optional<query::Lens> lens_of(storage::Store& store, const std::string& dataset, const Options& options) {
  const auto judge = options.judge.empty() ? std::nullopt : std::optional(options.judge);
  try {
    return query::find_lens(store.db(), dataset, options.protocol, judge);
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound || !options.protocol.empty() || judge || !options.run.empty()) throw;
    return std::nullopt;
  }
}

int show(Context& context, const Options& options) {
  const auto store = open_store(context, true);
  const storage::Lock held = store->hold_texts();
  const query::Reference reference = query::resolve(store->db(), options.reference, options.record);
  const std::size_t look = context.out.look().width;
  const View view{context, *store, look == 0 ? kDefaultWidth : look, lens_of(*store, reference.dataset, options)};
  const std::string& dataset = reference.dataset;
  if (reference.run) {
    show_run(view, dataset, query::load_run_card(store->db(), dataset, *reference.run), options);
    return 0;
  }
  if (!reference.record) {
    show_dataset(view, query::load_dataset_card(store->db(), dataset));
    context.out.flush();
    context.out.note(fmt::format("next: residue show {}/RUN, residue show {}/RECORD", dataset, dataset));
    return 0;
  }
  const query::RecordCard card = query::load_record_card(*store, dataset, *reference.record,
                                                         view.lens ? view.lens->spec.claim_set : std::string());
  if (reference.claim) {
    show_claim(view, card, *reference.claim);
  } else if (!options.run.empty()) {
    static_cast<void>(query::load_run_card(store->db(), dataset, options.run));
    show_attack(view, card, options.run);
  } else {
    show_record(view, card);
  }
  return 0;
}

Run setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("REF", options->reference, "DATASET, DATASET/RUN, DATASET/RECORD or DATASET/RECORD#N")->required();
  app.add_option("--run", options->run, "the record as this run left it, and every claim with its rating and why");
  app.add_flag("--record", options->record, "what follows the dataset is a record, whatever runs are called");
  app.add_option("--protocol", options->protocol, "attacker; default: the last evaluated");
  app.add_option("--judge", options->judge, "judge; default: the last one");
  return [options](Context& context) { return show(context, *options); };
}

}  // namespace

Command show_command() {
  return {
      .name = "show",
      .group = Group::kLook,
      .summary = "one dataset, run, record or claim, with its texts",
      .usage = "REF",
      .details =
          "REF is DATASET, DATASET/RUN, DATASET/RECORD or DATASET/RECORD#N (a claim). A name that is both a run and "
          "a record means the run; --record means the record. Shows original texts.",
      .examples = {{"residue show clinic", "counts, claim sets, runs"},
                   {"residue show clinic/scrub", "a run: how it was made, what failed, its numbers"},
                   {"residue show clinic/r-12 --run scrub", "original, sanitized and linked text, every claim and why"},
                   {"residue show clinic/r-12#3", "one claim over all runs"}},
      .setup = setup};
}

}  // namespace residue::cli
