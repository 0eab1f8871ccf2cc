// The charts of studies: which there are, what they hold, and that they never harm a study.
#include "harness/view/study_charts.h"

#include <algorithm>
#include <filesystem>

#include "harness/measure/results_folder.h"
#include "harness/view/kernel_charts.h"
#include "harness/view/ladder_charts.h"
#include "harness/view/study_rooflines.h"
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

const roofline::ChartLine& rung(const Chart& chart, const std::string& of,
                                const std::string& step) {
  for (const roofline::ChartLine& line : chart.lines)
    if (line.item == "rung" && line.of == of && line.name == step) return line;
  throw std::out_of_range("no rung " + step + " of " + of);
}

bool has_label(const Chart& chart, const std::string& text) {
  return std::any_of(chart.labels.begin(), chart.labels.end(),
                     [&text](const auto& label) { return label.text == text; });
}

/// Names of steps as the axis has them.
Texts ticks(const Chart& chart) {
  Texts texts;
  for (const roofline::Tick& tick : chart.x.ticks) texts.push_back(tick.text);
  return texts;
}

constexpr const char* cuda = "NVIDIA H200, cuda";
constexpr const char* omp = "a processor of two cores, omp";
constexpr const char* published = "V100, OpenACC, gpp214 (SC19)";

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

TEST(StudyCharts, WithoutRooflineThereIsALadder) {
  StudyRecord study = sample_study();
  study.ceilings.clear();
  EXPECT_EQ(names(study_charts({{"a", study}})), (Texts{"ladder"}));
  study.results.clear();
  EXPECT_TRUE(study_charts({{"a", study}}).empty());
}

TEST(PageCharts, ShowAllSeriesTogetherAndEachLevel) {
  const std::vector<Chart> charts = page_charts({{"a", roofline_study()}});
  EXPECT_EQ(names(charts), (Texts{"roofline-fp64", "time-fp64", "plane-fp64-l1", "plane-fp64-l2",
                                  "plane-fp64-dram", "ladder"}));
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

TEST(Ladders, HoldEveryTimedStepAndThePublishedOnes) {
  const Chart chart = make_ladder({{"a", roofline_study()}}).value();
  EXPECT_EQ(lines(chart, "rung", cuda).size(), 12u);
  EXPECT_EQ(lines(chart, "rung", omp).size(), 11u);
  EXPECT_EQ(lines(chart, "rung", published).size(), 8u) << "v1 to v8: our v9 is no published step";
  EXPECT_EQ(chart.key.front().text, cuda) << "the fastest comes first";
  const auto begin = [&chart](const char* of) { return rung(chart, of, "v1").points[0].x; };
  EXPECT_GT(begin(cuda), begin(omp) + 0.04) << "the ends below are seen";
  EXPECT_GT(begin(omp), begin(published) + 0.04);
  EXPECT_EQ(lines(chart, "riser", published).size(), 7u);
  EXPECT_TRUE(has_label(chart, "1.63 s"));
  EXPECT_TRUE(has_label(chart, "24.4 ms"));
  EXPECT_EQ(chart.y.unit, "terms/s");
}

TEST(Ladders, OfASingleStepAreNoneBesideLongerOnes) {
  StudyRecord study = roofline_study();
  std::erase_if(study.results, [](const Result& result) {
    return result.model == "omp" && result.variant != "v1";
  });
  const Chart chart = make_ladder({{"a", study}}).value();
  EXPECT_TRUE(lines(chart, "rung", omp).empty());
}

/// SC19's, in CUDA without its step 5, and step 7 failed.
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

TEST(PublishedLadder, HasAChartOfItsOwn) {
  const NamedStudy study = {"a", sc19_study()};
  const Texts all = names(study_charts({study}));
  EXPECT_EQ(std::count(all.begin(), all.end(), "published-sc19"), 1);
  const Chart chart = make_published_ladder(study, "published-sc19").value();
  EXPECT_TRUE(contains(chart.title, "speedup over v1"));
  const std::string told = chart.key.back().text;
  EXPECT_TRUE(contains(told, ", published")) << told;
  EXPECT_EQ(lines(chart, "rung", told).size(), 9u);
  EXPECT_TRUE(has_label(chart, "2.86x"));
  EXPECT_EQ(lines(chart, "rung", cuda).size(), 6u) << "v1 to v4, v6, v8";
  EXPECT_TRUE(has_label(chart, "1.00x"));
  EXPECT_EQ(ticks(chart).at(6), "v7\nno number");
  EXPECT_TRUE(contains(ticks(chart).at(7), "v8\nabsolute")) << "what it changes";
}

/// A line over a missing step would be read as a number.
TEST(PublishedLadder, JoinsNoStepsOverAMissingOne) {
  const Chart chart = make_published_ladder({"a", sc19_study()}, "l").value();
  EXPECT_EQ(lines(chart, "riser", cuda).size(), 3u);
}

TEST(PublishedLadder, HasNoneWhereNothingWasTimedOrNoneWasStudied) {
  EXPECT_FALSE(make_published_ladder({"a", roofline_study()}, "l"));
  StudyRecord study = sc19_study();
  for (Result& result : study.results) result.status = Status::failed;
  EXPECT_FALSE(make_published_ladder({"a", study}, "l"));
}

TEST(Ladders, OfAPublishedOneHaveItsOrderAndBringNoOtherNumbers) {
  StudyRecord study = sc19_study();
  std::swap(study.results[0], study.results[1]);
  const Chart chart = make_ladder({{"a", study}}).value();
  EXPECT_TRUE(ticks(chart).at(0).starts_with("v1")) << "the ladder's first";
  EXPECT_EQ(chart.key.size(), 1u) << "the published one has its own chart";
}

TEST(Ladders, BreakTheLongNamesOfTheirOwnSteps) {
  StudyRecord study = sc19_study();
  study.results.back().variant = study.results.back().step = "sc19_9_strided_lanes";
  const Chart chart = make_ladder({{"a", study}}).value();
  EXPECT_EQ(ticks(chart).back(), "sc19_9\nstrided\nlanes");
  for (const Chart& one : study_charts({{"a", study}}))
    for (const roofline::ChartLabel& label : one.labels)
      EXPECT_FALSE(contains(label.text, "sc19_9_")) << one.name;
}

TEST(Ladders, PutTheSpeedWhereItBelongs) {
  const Chart chart = make_ladder({{"a", sample_study()}}).value();
  const std::string series = chart.key.front().text;
  EXPECT_DOUBLE_EQ(rung(chart, series, "v7").points[0].y, 2e9);
  EXPECT_THROW(rung(chart, series, "v8"), std::out_of_range) << "v8 failed";
}

TEST(Ladders, PutStepsWithoutNumberBehindThose) {
  StudyRecord study = roofline_study();
  study.results[2].variant = study.results[2].step = "my_idea";
  const Chart chart = make_ladder({{"a", study}}).value();
  EXPECT_EQ(ticks(chart).back(), "my_idea");
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
