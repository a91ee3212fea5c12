#include "cli/runs/print_plots.h"

#include <fmt/format.h>

#include <cstddef>

#include "base/json.h"
#include "cli/print/output.h"
#include "cli/print/wrap.h"
#include "cli/report/report_tables.h"
#include "cli/runs/plot_chart.h"
#include "cli/runs/run_flags.h"
#include "verbs/runs/points.h"

namespace residue::cli {

void print_plots(Context& context, const verbs::ReportResult& compared, const std::string& names) {
  const verbs::PlotFields fields = verbs::plot_fields(names, compared.runs);
  Json all = Json::array();
  for (std::size_t i = 0; i < compared.reports.size(); ++i) {
    const query::Report& report = compared.reports[i];
    const verbs::Plot plot = verbs::plot_of(report, fields, compared.runs);
    if (context.out.wants_json()) {
      all.push_back(plot_json(plot));
      if (compared.chosen[i].any_condition()) all.back()["where"] = chosen_json(compared.chosen[i]);
      continue;
    }
    if (context.globals.format == Format::kTable) {
      const std::size_t width = context.out.look().width;
      context.out.write(fitted(report_heading(report) + "\n", width) + plot_chart(plot, width, takes_unicode()) + "\n");
    }
    context.out.table(plot_table(plot));
    context.out.flush();
    for (const auto& [run, why] : plot.left_out) context.out.note(fmt::format("not in the chart: {} ({})", run, why));
  }
  if (context.out.wants_json()) context.out.json(all.size() == 1 ? all.front() : all);
}

}  // namespace residue::cli
