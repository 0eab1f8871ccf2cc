// Tests of the charts and tables of studies, and that charts never harm a study.
#include <fmt/format.h>
#include <cmath>

#include "harness/command/results_folder.h"
#include "harness/view/columns.h"
#include "harness/view/study_charts.h"
#include "tests/chart_outline.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

using roofline::Chart;

Texts names(const std::vector<Chart>& charts) {
  Texts list;
  for (const Chart& chart : charts) list.push_back(chart.name);
  return list;
}

constexpr const char* cuda = "NVIDIA H200, cuda";
constexpr const char* omp = "a processor of two cores, omp";

TEST(StudyRooflines, ThereIsOnePerKindOfDevice) {
  std::vector<NamedStudy> named = {{"a", roofline_study()}};
  StudyRecord& study = named[0].study;
  study.results[0].launches.assign(4, {});
  study.results[3].status = Status::failed;
  Result other = study.results.front();
  other.model = "thrust";
  study.results.push_back(other);
  const ShownResults shown(named);
  const std::vector<StudyRoofline> list = study_rooflines(shown, &Result::rooflines);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].series.label(), cuda) << "which has most steps";
  EXPECT_EQ(list[0].subtitle(), "cuda; gpp214.dat, 2.454e+10 terms; 2025-01-31");
  const std::vector<roofline::Step>& steps = list[0].chart.steps;
  ASSERT_EQ(steps.size(), 11u);
  EXPECT_EQ(steps[3].label, "v5") << "v4 failed";
  EXPECT_EQ(steps[0].launches, 4u);
  EXPECT_EQ(list[1].series.label(), omp);
  EXPECT_EQ(list[1].chart.steps.size(), 11u);
}

TEST(StudyRooflines, InATerminalThereIsOnePerKindOfDevice) {
  const std::string text = terminal_rooflines(roofline_study());
  EXPECT_TRUE(contains(text, "\nRoofline of NVIDIA H200: cuda; gpp214.dat")) << text;
  EXPECT_TRUE(contains(text, "\nRoofline of a processor of two cores: omp; ")) << text;
  StudyRecord study = sample_study();
  study.ceilings.clear();
  EXPECT_EQ(terminal_rooflines(study), "");
}

TEST(Series, AreTheModelsOfEachMachineByTheirSteps) {
  StudyRecord study = roofline_study();
  study.results[2].variant = study.results[2].step = "my_idea";
  std::swap(study.results[0], study.results[9]);
  const std::vector<NamedStudy> two = {{"a", study}, {"b", roofline_study()}};
  const ShownResults shown(two);
  const std::vector<StudySeries> all = shown.series();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[2].label(), "NVIDIA H200 (b), cuda");
  EXPECT_EQ(all[2].tags(), (roofline::Tags{{"model", "cuda"}, {"machine", "1 gpu"}}));
  EXPECT_EQ(all[1].label(), "a processor of two cores (a), omp");
  ASSERT_EQ(all[0].rows.size(), 12u);
  EXPECT_EQ(all[0].rows.front().result->variant, "v1");
  EXPECT_EQ(all[0].rows[8].result->variant, "v10");
  EXPECT_EQ(all[0].rows.back().result->variant, "my_idea");
}

TEST(Devices, AreShortened) {
  EXPECT_EQ(short_device("Intel(R) Xeon(R) Processor @ 2.60GHz"), "Intel Xeon");
  EXPECT_EQ(short_device("NVIDIA H200"), "NVIDIA H200");
  EXPECT_EQ(short_device("(R)"), "(R)");
}

TEST(StudyCharts, AreNamedAfterKindsAndStudiesWhereThereAreSeveral) {
  StudyRecord one = roofline_study();
  one.ceilings.pop_back();
  EXPECT_EQ(names(study_charts({{"a", one}})), (Texts{"roofline", "time", "plane", "ladder"}));
  EXPECT_EQ(names(study_charts({{"a", one}, {"a", one}})),
            (Texts{"roofline-a", "time-a", "plane-a", "roofline-a-2", "time-a-2", "plane-a-2",
                   "ladder"}));
  for (const Chart& chart : study_charts({{"a", roofline_study()}}))
    EXPECT_TRUE(is_chart_of_study(chart.name));
  EXPECT_FALSE(is_chart_of_study("notes"));
}

/// The names of all charts, the ladder, and the published ladder.
std::string ladders_of(const StudyRecord& study) {
  const NamedStudy named = {"a", study};
  std::string text;
  for (const Chart& chart : study_charts({named})) text += chart.name + "\n";
  const std::vector<NamedStudy> alone = {named};
  return text + outline(make_ladder(ShownResults(alone))) +
         outline(make_published_ladder(named, "published-sc19"));
}

/// SC19's steps, in CUDA without step 5 and with a failed step 7.
StudyRecord sc19_study() {
  StudyRecord study = roofline_study();
  study.ladder = "sc19";
  std::erase_if(study.results, [](const Result& result) {
    return result.model != "cuda" || result.variant == "v5";
  });
  for (Result& result : study.results)
    if (result.variant == "v7") result.status = Status::failed;
  return study;
}

TEST(Ladders, AreThoseThatAreKept) {
  const StudyRecord study = roofline_study();
  StudyRecord other = study, alone = study, idea = study, bare = sample_study();
  other.input.terms /= 2;
  std::erase_if(alone.results,
                [](const Result& one) { return one.model == "omp" && one.variant != "v1"; });
  idea.results[2].variant = idea.results[2].step = "my_idea";
  bare.ceilings.clear();
  StudyRecord renamed = sc19_study(), failed = sc19_study(), swapped = sc19_study();
  renamed.results.back().variant = renamed.results.back().step = "sc19_9_strided_lanes";
  for (Result& result : failed.results) result.status = Status::failed;
  std::swap(swapped.results[0], swapped.results[1]);
  const auto change = [](const StudyRecord& before, const StudyRecord& after) {
    return changed_lines(ladders_of(before), ladders_of(after));
  };
  expect_kept("harness/view/ladders.txt",
              ladders_of(study) + "\n==== of another input\n" + change(study, other) +
                  "\n==== one step of OpenMP\n" + change(study, alone) +
                  "\n==== an idea of one's own\n" + change(study, idea) +
                  "\n==== of a published ladder\n" + ladders_of(sc19_study()) +
                  "\n==== a long name\n" + change(sc19_study(), renamed) + "\n==== all failed\n" +
                  ladders_of(failed) + "\n==== without roofs\n" + ladders_of(bare));
  EXPECT_EQ(change(sc19_study(), swapped), "") << "the ladder's order, not that of the record";
  for (const Chart& one : study_charts({{"a", renamed}}))
    for (const roofline::ChartLabel& label : one.labels)
      EXPECT_FALSE(contains(label.text, "sc19_9_")) << one.name;
  bare.results.clear();
  EXPECT_TRUE(study_charts({{"a", bare}}).empty());
}

/// Stalls are divided bars, largest part first, without issuing warps; many small ones form one
/// part.
TEST(StudyCharts, AreThoseThatAreKept) {
  StudyRecord stalled = roofline_study();
  stalled.results[0].counted.metrics["stall_long_scoreboard"] = 3;
  stalled.results[0].counted.metrics["stall_wait"] = 1;
  stalled.results[0].counted.metrics["stall_selected"] = 9;
  for (int i = 0; i < 20; ++i)
    stalled.results[1].counted.metrics["stall_" + std::to_string(i)] = i + 1;
  const std::vector<NamedStudy> waiting = {{"a", stalled}};
  const ShownResults shown(waiting);
  const std::vector<StudySeries> series = shown.series();
  expect_kept("harness/view/charts.txt", outline(make_stalls(series.front())));
  EXPECT_FALSE(make_stalls(series.back())) << "none were counted there";
}

// ---- Tables -------------------------------------------------------------------------------------

const ShownRow& row_of(const ShownResults& shown, std::string_view variant) {
  return *std::find_if(shown.rows().begin(), shown.rows().end(),
                       [variant](const ShownRow& row) { return row.result->variant == variant; });
}

TEST(ShownResults, AreInTheOrderOfTheStepsAndOfTheirMachines) {
  const std::vector<NamedStudy> all = {{"a", sample_study()}};
  const ShownResults shown(all);
  EXPECT_EQ(shown.variants(), (std::vector<std::string>{"v1", "v7", "v8"})) << "v9 did not run";
  EXPECT_EQ(only(shown.machines()).label, "a processor");
  EXPECT_EQ(shown.before(row_of(shown, "v1")), nullptr);
  EXPECT_EQ(shown.before(row_of(shown, "v7")), &row_of(shown, "v1")) << "v6 was not timed";
  std::vector<NamedStudy> both = all;
  both.push_back({"b", sample_study()});
  const ShownResults two(both);
  ASSERT_EQ(two.machines().size(), 2U);
  EXPECT_EQ(two.machines()[1].label, "a processor (b)");
  EXPECT_EQ(results_table(two).columns[3].name, "machine");
}

/// A table as used on a page.
std::string text_of(const roofline::Table& table) {
  std::string text = table.caption + "\n";
  for (const auto& row : table.rows) {
    text += "row " + row.tone;
    for (const auto& [tag, value] : row.tags) text += fmt::format(" {}={}", tag, value);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& cell = row.cells.at(i);
      text += fmt::format("; {}: {}{}{}", table.columns[i].name, cell.text,
                          std::isnan(cell.key) ? "" : fmt::format(" ({:.6g})", cell.key),
                          cell.link.empty() ? "" : " to #" + cell.link);
    }
    text += "\n";
  }
  for (const std::string& note : table.notes) text += "note: " + note + "\n";
  return text;
}

/// Rows are sorted by their values and hidden by their tags.
TEST(ReportTables, AreThoseThatAreKept) {
  const std::vector<NamedStudy> all = {{"a", sample_study()}};
  const ShownResults shown(all);
  expect_kept("harness/view/tables.txt", text_of(results_table(shown)));
}

}  // namespace
}  // namespace gpp::test
