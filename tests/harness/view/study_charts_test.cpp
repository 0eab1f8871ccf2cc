// The charts of studies: which there are, what they hold, and that they never harm a study.
#include "harness/view/study_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "harness/measure/results_folder.h"
#include "harness/view/kernel_charts.h"
#include "harness/view/ladder_charts.h"
#include "harness/view/scaling_charts.h"
#include "harness/view/study_rooflines.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;
using roofline::Chart;

Texts names(const std::vector<Chart>& charts) {
  Texts list;
  for (const Chart& chart : charts) list.push_back(chart.name);
  return list;
}

/// The lines of an item, of a series where one is named.
std::vector<roofline::ChartLine> lines(const Chart& chart, const std::string& item,
                                       const std::string& of = "") {
  std::vector<roofline::ChartLine> found;
  for (const roofline::ChartLine& line : chart.lines)
    if (line.item == item && (of.empty() || line.of == of)) found.push_back(line);
  return found;
}

constexpr const char* cuda = "NVIDIA H200, cuda";
constexpr const char* omp = "a processor of two cores, omp";

TEST(StudyRooflines, ThereIsOnePerKindOfDevice) {
  const std::vector<StudyRoofline> list = study_rooflines(roofline_study());
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].kind, "gpu");
  EXPECT_EQ(list[0].chart.steps.size(), 12u);
  EXPECT_EQ(list[1].model, "omp");
  EXPECT_EQ(list[1].chart.steps.size(), 11u);
  EXPECT_EQ(list[0].subtitle, "cuda; gpp214.dat, 2.454e+10 terms; 2025-01-31");
}

TEST(StudyRooflines, ShowTheModelOfMostSteps) {
  StudyRecord study = roofline_study();
  Result other = study.results.front();
  other.model = "thrust";
  study.results.insert(study.results.begin(), other);
  EXPECT_EQ(study_rooflines(study)[0].model, "cuda");
}

TEST(StudyRooflines, HoldNothingThatFailed) {
  StudyRecord study = roofline_study();
  study.results[3].status = Status::failed;
  const roofline::RooflineChart chart = study_rooflines(study)[0].chart;
  ASSERT_EQ(chart.steps.size(), 11u);
  EXPECT_EQ(chart.steps[3].label, "v5");
}

TEST(StudyRooflines, KnowHowOftenEachStepLaunches) {
  StudyRecord study = roofline_study();
  study.results[0].launches.assign(4, {});
  study.results[1].launches.clear();
  const std::vector<roofline::Step> steps = study_rooflines(study)[0].chart.steps;
  EXPECT_EQ(steps[0].launches, 4u);
  EXPECT_FALSE(steps[1].launches) << "OpenMP and libraries do not tell";
}

TEST(StudyRooflines, InATerminalThereIsOnePerKindOfDevice) {
  const std::string text = terminal_rooflines(roofline_study(), {});
  EXPECT_TRUE(contains(text, "\nRoofline of NVIDIA H200: cuda; gpp214.dat")) << text;
  EXPECT_TRUE(contains(text, "\nRoofline of a processor of two cores: omp; ")) << text;
  StudyRecord study = sample_study();
  study.ceilings.clear();
  EXPECT_EQ(terminal_rooflines(study, {}), "");
}

TEST(Series, AreTheModelsOfEachMachine) {
  const std::vector<NamedStudy> one = {{"a", roofline_study()}};
  const std::vector<StudySeries> all = series_of(one);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].label, cuda);
  EXPECT_EQ(all[0].tags(),
            (roofline::Tags{{"machine", "0 gpu"}, {"model", "cuda"}, {"series", "0 gpu cuda"}}));
  EXPECT_EQ(all[0].results.size(), 12u);
  EXPECT_EQ(all[1].label, omp);
  const std::vector<NamedStudy> two = {one[0], {"b", roofline_study()}};
  EXPECT_EQ(series_of(two)[2].label, "NVIDIA H200 (b), cuda");
  EXPECT_EQ(series_of(two)[2].tags()[0].second, "1 gpu");
}

TEST(Series, OrderStepsByNumberAndNamesBehindThose) {
  StudyRecord study = roofline_study();
  study.results[2].variant = study.results[2].step = "my_idea";
  std::swap(study.results[0], study.results[9]);
  const std::vector<NamedStudy> one = {{"a", study}};
  const std::vector<StudySeries> all = series_of(one);
  EXPECT_EQ(all[0].results.front()->variant, "v1");
  EXPECT_EQ(all[0].results[8]->variant, "v10");
  EXPECT_EQ(all[0].results.back()->variant, "my_idea");
}

TEST(Devices, AreShortened) {
  EXPECT_EQ(short_device("Intel(R) Xeon(R) Processor @ 2.60GHz"), "Intel Xeon");
  EXPECT_EQ(short_device("NVIDIA H200"), "NVIDIA H200");
  EXPECT_EQ(short_device("(R)"), "(R)");
}

TEST(StudyCharts, AreNamedAfterKindsAndStudiesWhereThereAreSeveral) {
  const StudyRecord both = roofline_study();
  StudyRecord one = both;
  one.ceilings.pop_back();
  EXPECT_EQ(names(study_charts({{"a", one}})), (Texts{"roofline", "time", "plane", "ladder"}));
  EXPECT_EQ(names(study_charts({{"a", both}})),
            (Texts{"roofline-gpu", "time-gpu", "plane-gpu", "roofline-host", "time-host",
                   "plane-host", "ladder"}));
  EXPECT_EQ(names(study_charts({{"a", one}, {"a", one}})),
            (Texts{"roofline-a", "time-a", "plane-a", "roofline-a-2", "time-a-2", "plane-a-2",
                   "ladder"}));
  for (const Chart& chart : study_charts({{"a", both}})) EXPECT_TRUE(is_chart_of_study(chart.name));
  EXPECT_FALSE(is_chart_of_study("notes"));
}

TEST(PageCharts, ShowAllSeriesTogetherAndEachLevel) {
  const std::vector<Chart> charts = page_charts({{"a", roofline_study()}});
  EXPECT_EQ(names(charts),
            (Texts{"roofline-fp64", "time-fp64", "plane-fp64-l1", "plane-fp64-l2",
                   "plane-fp64-dram", "ladder-speedup", "ladder-time", "ladder-rate"}));
  Texts series;
  for (const roofline::ChartMark& mark : charts[0].marks)
    for (const auto& [tag, value] : mark.tags)
      if (tag == "series" && std::find(series.begin(), series.end(), value) == series.end())
        series.push_back(value);
  EXPECT_EQ(series, (Texts{"0 gpu cuda", "0 host omp"}));
  EXPECT_EQ(charts[0].marks.front().headline.substr(0, 3), "v1 ") << "with the step's name";
}

TEST(PageCharts, ShowTheKernelsOfAVariantSmall) {
  const std::vector<Chart> charts = page_charts({{"a", kernels_study()}});
  const auto& marks = charts.at(0).marks;
  EXPECT_TRUE(std::any_of(marks.begin(), marks.end(), [](const auto& mark) {
    return mark.small && contains(mark.name, "v1 ");
  }));
}

TEST(Stalls, AreBarsOfParts) {
  EXPECT_FALSE(make_stalls({})) << "nobody counted any";
  StudyRecord study = roofline_study();
  study.results[0].counted.metrics["stall_long_scoreboard"] = 3;
  study.results[0].counted.metrics["stall_wait"] = 1;
  study.results[0].counted.metrics["stall_selected"] = 9;
  const Chart chart = make_stalls({{"a", study}}).value();
  ASSERT_EQ(chart.boxes.size(), 2u) << "issuing is no stall";
  EXPECT_EQ(chart.boxes[0].of, "long scoreboard") << "what takes most first";
  EXPECT_DOUBLE_EQ(chart.boxes[0].right, 3);
  EXPECT_DOUBLE_EQ(chart.boxes[1].left, 3);
  EXPECT_DOUBLE_EQ(chart.boxes[1].right, 4);
  for (int i = 0; i < 20; ++i)
    study.results[1].counted.metrics["stall_" + std::to_string(i)] = i + 1;
  const Chart many = make_stalls({{"a", study}}).value();
  ASSERT_EQ(many.key.size(), 10u);
  EXPECT_EQ(many.key.back().text, "all others");
  double sum = 0;
  for (const roofline::ChartBox& box : many.boxes)
    if (box.name.starts_with("v2")) sum += box.right - box.left;
  EXPECT_NEAR(sum, 210, 1e-9) << "no part is lost";
}

/// A line for each thing that a chart shows, with the value at which a line of it begins.
std::string outline(const std::optional<Chart>& chart) {
  if (!chart) return "no chart\n";
  std::string text = fmt::format("{}, {} in {}\n", chart->name, chart->title, chart->y.unit);
  const auto add = [&text](const char* kind, std::string what) {
    std::replace(what.begin(), what.end(), '\n', '/');
    text += fmt::format("  {} {}\n", kind, what);
  };
  for (const roofline::Tick& tick : chart->x.ticks) add("tick", tick.text);
  for (const auto& entry : chart->key) add("key", entry.text);
  for (const roofline::ChartLine& line : chart->lines)
    add(line.item.c_str(), fmt::format("{} {} {:.4g}", line.of, line.name, line.points.at(0).y));
  for (const roofline::ChartLabel& label : chart->labels) add("label", label.text);
  for (const std::string& note : chart->notes) add("note", note);
  return text;
}

/// Names of all charts; the ladders in each view, and the published one.
std::string ladders_of(const StudyRecord& study) {
  const NamedStudy named = {"a", study};
  std::string text;
  for (const Chart& chart : study_charts({named})) text += chart.name + "\n";
  for (const LadderView view : {LadderView::rate, LadderView::time, LadderView::speedup})
    text += outline(make_ladder({named}, view, "ladder"));
  return text + outline(make_published_ladder(named, "published-sc19"));
}

/// SC19's, in CUDA without its step 5, and step 7 failed: a line over a missing step would be read
/// as a number.
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

TEST(Ladders, BeginWhereTheirEndsAreSeen) {
  const Chart chart = make_ladder({{"a", roofline_study()}}, LadderView::rate, "ladder").value();
  std::map<std::string, double> begin;
  for (const roofline::ChartLine& line : lines(chart, "rung"))
    begin.try_emplace(line.of, line.points[0].x);
  EXPECT_GT(begin.at(cuda), begin.at(omp) + 0.04);
  EXPECT_GT(begin.at(omp), begin.at("V100, OpenACC, gpp214 (SC19)") + 0.04);
}

/// Four ranks, each time measured three times.
StudyRecord scaled_study() {
  StudyRecord study = sample_study();
  study.scaling.emplace();
  for (const int ranks : {1, 2, 4}) {
    const double seconds = 8.0 / ranks;
    study.scaling->strong.push_back(
        {ranks, 1, {seconds, 1.1 * seconds, 0.9 * seconds}, 0.1, "MPI"});
  }
  return study;
}

TEST(Scaling, HasErrorBarsAndTheIdeal) {
  const Chart chart = make_strong_scaling({{"a", scaled_study()}}).value();
  ASSERT_EQ(chart.marks.size(), 3u);
  EXPECT_DOUBLE_EQ(chart.marks[2].at.y, 4);
  EXPECT_LT(chart.marks[2].low.value(), 4);
  EXPECT_GT(chart.marks[2].high.value(), 4);
  EXPECT_DOUBLE_EQ(lines(chart, "ideal").at(0).points.back().y, 4);
  EXPECT_FALSE(make_weak_scaling({{"a", scaled_study()}})) << "no points";
  EXPECT_FALSE(make_strong_scaling({{"a", sample_study()}}));
  EXPECT_EQ(make_strong_scaling({{"a", scaled_study()}, {"b", scaled_study()}})->marks.size(), 6u);
}

TEST(StudyCharts, AreWrittenAsPicturesAndValues) {
  const TemporaryFolder folder("charts of 'O''Hara'");  // a name may hold anything
  const roofline::WrittenCharts written =
      roofline::write_charts(folder.path(), study_charts({{"a", roofline_study()}}));
  EXPECT_EQ(written.note,
            "Charts: roofline-gpu.svg time-gpu.svg plane-gpu.svg roofline-host.svg time-host.svg "
            "plane-host.svg ladder.svg");
  for (const char* file : {"ladder.svg", "ladder.csv", "plane-host.csv"})
    EXPECT_TRUE(fs::exists(folder.path() / file)) << file;
}

/// Of each kernel the first and the fastest step, at the outermost level, under the roofs of the
/// device, which are drawn once.
TEST(KernelCharts, ShowTheEndsOfEachLadderOnOneRoofline) {
  StudyRecord other = test::roofline_study();
  other.kernel = "other";
  const std::vector<NamedStudy> studies = {{"a", test::roofline_study()}, {"b", other}};
  EXPECT_TRUE(several_kernels(studies));
  EXPECT_FALSE(several_kernels({studies.front()}));
  EXPECT_TRUE(kernel_charts({studies.front()}).empty()) << "nothing to share a chart with";
  const std::vector<Chart> charts = kernel_charts(studies);
  ASSERT_FALSE(charts.empty());
  EXPECT_EQ(charts.front().name, "kernels-fp64");
  std::vector<std::string> marks;
  for (const roofline::ChartMark& mark : charts.front().marks) {
    marks.push_back(mark.name);
    EXPECT_EQ(mark.of, "dram") << mark.name;
  }
  EXPECT_EQ(marks, (std::vector<std::string>{"gpp v1", "gpp v12", "other v1", "other v12"}));
  EXPECT_EQ(lines(charts.front(), "roof", "dram").size(), 1u);
  EXPECT_TRUE(lines(charts.front(), "roof", "l1").empty());
  EXPECT_TRUE(lines(charts.front(), "arrow").empty());
}

}  // namespace
}  // namespace gpp::test
