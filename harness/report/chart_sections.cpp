// The chart sections: the ladder, rooflines, times, the time plane, stalls.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/report/sections.h"
#include "harness/view/study_charts.h"
#include "roofline/page/page.h"

namespace gpp {
namespace {

namespace page = roofline::page;
using roofline::Chart;
using Rooflines = std::vector<StudyRoofline>;

/// True if several marks lie at one place, so that a chart shows nothing.
bool is_one_place(const Chart& chart) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 0.02 * std::abs(b); };
  const auto& marks = chart.marks;
  return marks.size() > 1 && std::ranges::all_of(marks, [&](const roofline::ChartMark& mark) {
           return near(mark.at.x, marks.front().at.x) && near(mark.at.y, marks.front().at.y);
         });
}

/// The charts that `make` draws of each model on each machine, empty ones left out.
template <class Make>
Html charts_of(const Rooflines& all, const std::string& name, const Make& make) {
  Html blocks;
  for (const StudyRoofline& one : all) {
    const std::optional<Chart> chart = make(one.chart, name, "");
    if (!chart) continue;
    roofline::Tags tags = one.series.tags();
    tags.emplace_back("precision", one.work);
    const std::string id = fmt::format("{}-{}-{}", name, one.work, one.series.place);
    const std::string what =
        one.chart.model.counts_transactions() ? ": " + one.chart.model.title : "";
    blocks += page::with_tags(
        page::heading(3, one.series.label() + what) +
            (is_one_place(*chart)
                 ? page::paragraph("All points lie at one place: the table has them.", "small")
                 : page::chart(*chart, id)),
        tags);
  }
  return blocks;
}

Html roofline_section(const ShownResults& shown) {
  const std::string title = "The hierarchical roofline";
  const Rooflines all = all_rooflines(shown, &Result::rooflines);
  if (all.empty())
    return page::section(
        "roofline", title, "",
        page::notice("Nothing was counted here, so that no variant can be placed "
                     "under a roof: " +
                     page::code("gpp doctor") + " says what this machine lacks for it."));
  std::vector<const roofline::RooflineChart*> charts;
  for (const StudyRoofline& one : all) charts.push_back(&one.chart);
  return page::section(
      "roofline", title,
      "Each variant stands once per level of memory: the same rate, over the bytes moved at that "
      "level. Colour and shape are the level. Solid roofs were measured on the machine, dashed "
      "ones follow from its data sheet and clock. Lines lead from step to step. Pointing at a "
      "marker tells all of it. Hollow markers were computed, not counted by hardware.",
      page::roofline_switches(charts, all.front().work) +
          charts_of(all, "roofline", roofline::make_roofline));
}

/// Only the models that are shown first have charts, because each has one for every level.
Html instructions_section(const ShownResults& shown) {
  Rooflines all = all_rooflines(shown, &Result::instructions);
  if (all.empty()) return {};
  const std::set<std::string> models = first_models(shown);
  std::erase_if(all, [&models](const StudyRoofline& one) {
    return !models.contains(one.series.rows.front().model);
  });
  return page::instructions_section("instructions", "variant",
                                    charts_of(all, "instructions", roofline::make_roofline) +
                                        page::table(instructions_table(shown), {.sortable = true}));
}

Html stalls_section(const ShownResults& shown) {
  Html charts;
  for (const StudySeries& series : shown.series())
    if (const std::optional<Chart> chart = make_stalls(series))
      charts += page::with_tags(page::heading(3, series.label()) +
                                    page::chart(*chart, fmt::format("stalls-{}", series.place)),
                                series.tags());
  return page::section("stalls", "What the warps waited for",
                       "Stalls by reason: where a bar grows shorter, warps wait less for each "
                       "instruction they issue.",
                       charts);
}

}  // namespace

Html chart_sections(const ShownResults& shown) {
  const std::optional<Chart> ladder = make_ladder(shown);
  const Rooflines all = all_rooflines(shown, &Result::rooflines);
  return page::section(
             "ladder", "The ladder",
             "How fast each step is, beside what was published. Every step passed its check.",
             ladder ? page::chart(*ladder, "ladder-rate") : Html()) +
         roofline_section(shown) + instructions_section(shown) +
         page::section(
             "time", "Where the time goes",
             "The bar is the measured time; the markers in it are what the traffic of each level "
             "and the arithmetic need at least at their measured roofs. What lies above the "
             "highest of them neither explains: waiting, and on a host instructions that work on "
             "one number alone. This view compares steps even where they change the number of "
             "operations.",
             charts_of(all, "time", roofline::make_times)) +
         page::section(
             "plane", "Arithmetic against memory",
             "To the right what the arithmetic takes, up what the bytes of the farthest memory "
             "take. The filled marker is the least of both, at the measured roofs: left of the "
             "diagonal memory needs longer, right of it arithmetic. The open one is the measured "
             "time on the same intensity; the distance between the two is what was not reached.",
             charts_of(all, "plane", roofline::make_plane)) +
         stalls_section(shown);
}

}  // namespace gpp
