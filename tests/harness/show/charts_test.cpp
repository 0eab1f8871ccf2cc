// The charts of a study: which there are, what they hold, and that they never harm it.
#include "harness/show/charts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "harness/show/ladder_chart.h"
#include "harness/show/published_chart.h"
#include "harness/show/roofline_chart.h"
#include "roofline/base/process.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> names(const std::vector<NamedStudy>& studies) {
  std::vector<std::string> list;
  for (const roofline::Drawing& drawing : study_drawings(studies)) list.push_back(drawing.name);
  return list;
}

/// Lines of a table that begin so.
std::vector<std::string> rows(const std::string& table, const std::string& start) {
  std::vector<std::string> list;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(start)) list.push_back(line);
  return list;
}

TEST(StudyRooflines, ThereIsOnePerKindOfDevice) {
  const std::vector<StudyRoofline> list = study_rooflines(test::roofline_study());
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].kind, "gpu");
  EXPECT_EQ(list[0].chart.steps.size(), 12u);
  EXPECT_EQ(list[1].model, "omp");
  EXPECT_EQ(list[1].chart.steps.size(), 11u);
  EXPECT_EQ(list[0].subtitle, "cuda; gpp214.dat, 2.454e+10 terms; 2025-01-31");
}

TEST(StudyRooflines, ShowTheModelOfMostSteps) {
  StudyRecord study = test::roofline_study();
  Result other = study.results.front();
  other.model = "thrust";
  study.results.insert(study.results.begin(), other);
  EXPECT_EQ(study_rooflines(study)[0].model, "cuda");
}

TEST(StudyRooflines, HoldNothingThatFailed) {
  StudyRecord study = test::roofline_study();
  study.results[3].status = Status::failed;
  const roofline::RooflineChart chart = study_rooflines(study)[0].chart;
  ASSERT_EQ(chart.steps.size(), 11u);
  EXPECT_EQ(chart.steps[3].label, "v5");
}

TEST(StudyRooflines, KnowHowOftenEachStepLaunches) {
  StudyRecord study = test::roofline_study();
  study.results[0].launches.assign(4, {});
  study.results[1].launches.clear();
  const std::vector<roofline::Step> steps = study_rooflines(study)[0].chart.steps;
  EXPECT_EQ(steps[0].launches, 4u);
  EXPECT_FALSE(steps[1].launches) << "OpenMP and libraries do not tell";
}

TEST(StudyDrawings, AreNamedAfterKindsAndStudiesWhereThereAreSeveral) {
  const StudyRecord both = test::roofline_study();
  StudyRecord one = both;
  one.ceilings.pop_back();
  EXPECT_EQ(names({{"a", one}}), (std::vector<std::string>{"roofline", "time", "plane", "ladder"}));
  EXPECT_EQ(names({{"a", both}}),
            (std::vector<std::string>{"roofline-gpu", "time-gpu", "plane-gpu", "roofline-host",
                                      "time-host", "plane-host", "ladder"}));
  EXPECT_EQ(names({{"a", one}, {"a", one}}),
            (std::vector<std::string>{"roofline-a", "time-a", "plane-a", "roofline-a-2", "time-a-2",
                                      "plane-a-2", "ladder"}));
}

TEST(StudyDrawings, WithoutRooflineThereIsALadder) {
  StudyRecord study = test::sample_study();
  study.ceilings.clear();
  EXPECT_EQ(names({{"a", study}}), (std::vector<std::string>{"ladder"}));
  study.results.clear();
  EXPECT_TRUE(names({{"a", study}}).empty());
}

TEST(Ladders, HoldEveryTimedStepAndThePublishedOnes) {
  const roofline::Drawing drawing = draw_ladder({{"a", test::roofline_study()}}, "ladder").value();
  EXPECT_EQ(rows(drawing.table, "rung,0,").size(), 12u) << "cuda, the fastest, comes first";
  EXPECT_EQ(rows(drawing.table, "rung,1,").size(), 11u);
  EXPECT_EQ(rows(drawing.table, "rung,2,").size(), 9u) << "published: v1 to v9";
  const auto begin = [&drawing](const std::string& rung) {
    return std::stod(rows(drawing.table, rung).at(0).substr(rung.size()));
  };
  EXPECT_GT(begin("rung,0,v1,"), begin("rung,1,v1,") + 0.04) << "the ends below are seen";
  EXPECT_GT(begin("rung,1,v1,"), begin("rung,2,v1,") + 0.04);
  EXPECT_EQ(rows(drawing.table, "riser,2,").size(), 8u);
  EXPECT_EQ(rows(drawing.table, "label,2,1.63 s,").size(), 1u) << drawing.table;
  EXPECT_EQ(rows(drawing.table, "label,0,24.4 ms,").size(), 1u) << drawing.table;
  EXPECT_TRUE(contains(drawing.script, "'NVIDIA H200, cuda'"));
}

/// SC19's, in CUDA without its step 5, and step 7 failed.
StudyRecord sc19_study() {
  StudyRecord study = test::roofline_study();
  study.ladder = "sc19";
  std::erase_if(study.results, [](const Result& result) {
    return result.model != "cuda" || result.variant == "v5";
  });
  for (Result& result : study.results)
    if (result.variant == "v7") result.status = Status::failed;
  return study;
}

TEST(PublishedLadder, HasAChartOfItsOwn) {
  const StudyRecord study = sc19_study();
  const std::vector<std::string> all = names({{"a", study}});
  EXPECT_EQ(std::count(all.begin(), all.end(), "published-sc19"), 1);
  const roofline::Drawing drawing = draw_published_ladder(study, "published-sc19").value();
  EXPECT_TRUE(contains(drawing.title, "speedup over v1"));
  EXPECT_EQ(rows(drawing.table, "rung,1,").size(), 9u) << "published";
  EXPECT_EQ(rows(drawing.table, "label,1,2.86x,").size(), 1u) << drawing.table;
  EXPECT_EQ(rows(drawing.table, "rung,0,").size(), 6u) << "v1 to v4, v6, v8";
  EXPECT_FALSE(rows(drawing.table, "label,0,1.00x,").empty()) << drawing.table;
  EXPECT_TRUE(contains(drawing.script, "'v7'.\"\\n\".'no number'")) << drawing.script;
  EXPECT_FALSE(contains(drawing.script, "'v8'.\"\\n\".'no number'"));
  EXPECT_TRUE(contains(drawing.script, "'v8'.\"\\n\".'absolute")) << "what it changes";
}

/// A line over a missing step would be read as a number.
TEST(PublishedLadder, JoinsNoStepsOverAMissingOne) {
  const roofline::Drawing drawing = draw_published_ladder(sc19_study(), "l").value();
  EXPECT_EQ(rows(drawing.table, "riser,0,").size(), 3u) << drawing.table;
}

TEST(PublishedLadder, HasNoneWhereNothingWasTimedOrNoneWasStudied) {
  EXPECT_FALSE(draw_published_ladder(test::roofline_study(), "l"));
  StudyRecord study = sc19_study();
  for (Result& result : study.results) result.status = Status::failed;
  EXPECT_FALSE(draw_published_ladder(study, "l"));
}

TEST(Ladders, OfAPublishedOneKeepItsOrderAndBringNoOtherNumbers) {
  StudyRecord study = sc19_study();
  std::swap(study.results[0], study.results[1]);
  const roofline::Drawing drawing = draw_ladder({{"a", study}}, "ladder").value();
  EXPECT_LT(drawing.script.find("'v2"), drawing.script.find("'v1")) << "as the record has them";
  EXPECT_TRUE(rows(drawing.table, "rung,1,").empty()) << "the published one has its own chart";
}

TEST(Ladders, BreakTheLongNamesOfTheirOwnSteps) {
  StudyRecord study = sc19_study();
  study.results.back().variant = study.results.back().step = "sc19_9_strided_lanes";
  const std::string script = draw_ladder({{"a", study}}, "ladder").value().script;
  EXPECT_TRUE(contains(script, "'sc19_9'.\"\\n\".'strided'.\"\\n\".'lanes'")) << script;
  for (const roofline::Drawing& drawing : study_drawings({{"a", study}}))
    EXPECT_FALSE(contains(drawing.table + drawing.script, "sc19_9_")) << drawing.name;
}

TEST(Ladders, PutTheSpeedWhereItBelongs) {
  const roofline::Drawing drawing = draw_ladder({{"a", test::sample_study()}}, "l").value();
  const std::vector<std::string> rungs = rows(drawing.table, "rung,0,v7,");
  ASSERT_EQ(rungs.size(), 1u) << drawing.table;
  EXPECT_TRUE(contains(rungs[0], ",2000000000,")) << rungs[0];
  EXPECT_TRUE(rows(drawing.table, "rung,0,v8,").empty()) << "v8 failed";
}

TEST(Ladders, PutStepsWithoutNumberBehindThose) {
  StudyRecord study = test::roofline_study();
  study.results[2].variant = study.results[2].step = "my_idea";
  const std::string script = draw_ladder({{"a", study}}, "ladder").value().script;
  const std::size_t last = script.find("'v12'.\"\\n\".'a'.\"\\n\".'step' 11");
  const std::size_t idea = script.find("'my_idea' 12");
  ASSERT_NE(last, std::string::npos) << script;
  ASSERT_NE(idea, std::string::npos) << script;
  EXPECT_LT(last, idea);
}

class Charts : public testing::Test {
 protected:
  std::string read(const std::string& name) const {
    std::ifstream stream(folder / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  // A folder's name may hold anything.
  test::TemporaryFolder temporary{"charts of 'O''Hara'"};
  const fs::path folder = temporary.path();
};

bool gnuplot_is_here() { return roofline::run_program({"gnuplot", "--version"}).status == 0; }

TEST_F(Charts, AreDrawnBesideTheirScriptsAndTables) {
  if (!gnuplot_is_here()) GTEST_SKIP() << "gnuplot is not installed";
  const roofline::WrittenCharts written = write_charts(folder, {{"a", test::roofline_study()}});
  EXPECT_EQ(written.note,
            "Charts: roofline-gpu.svg time-gpu.svg plane-gpu.svg roofline-host.svg time-host.svg "
            "plane-host.svg ladder.svg");
  ASSERT_EQ(written.drawn.size(), 7u);
  for (const roofline::Drawing& drawing : written.drawn) {
    EXPECT_EQ(read(drawing.name + ".gp"), drawing.script);
    EXPECT_EQ(read(drawing.name + ".csv"), drawing.table);
    EXPECT_TRUE(contains(read(drawing.name + ".svg"), "</svg>")) << drawing.name;
    EXPECT_TRUE(read(drawing.name + ".png").starts_with("\x89PNG")) << drawing.name;
  }
  const std::string ladder = read("ladder.svg");
  for (const char* text : {"305 ms", "1.63 s", "24.4 ms", "V100, OpenACC, gpp214 (SC19)",
                           "NVIDIA H200, cuda", "a processor of two cores, omp", "100 Gterms/s"})
    EXPECT_TRUE(contains(ladder, text)) << text;
}

/// With a PATH on which a program may or may not be.
class OtherPath {
 public:
  explicit OtherPath(const std::string& path) : before_(std::getenv("PATH")) {
    setenv("PATH", path.c_str(), 1);
  }
  ~OtherPath() { setenv("PATH", before_.c_str(), 1); }
  OtherPath(const OtherPath&) = delete;
  OtherPath& operator=(const OtherPath&) = delete;

 private:
  std::string before_;
};

TEST_F(Charts, CanBeDrawnLaterWhereGnuplotIsNotHere) {
  std::ofstream(folder / "ladder.svg") << "of older numbers";
  const OtherPath nowhere(folder.string());
  const roofline::WrittenCharts written = write_charts(folder, {{"a", test::sample_study()}});
  EXPECT_TRUE(contains(written.note, "gnuplot-nox")) << written.note;
  EXPECT_TRUE(contains(written.note, " ladder.gp")) << written.note;
  EXPECT_TRUE(written.drawn.empty());
  EXPECT_TRUE(contains(read("ladder.gp"), "ladder.csv"));
  EXPECT_FALSE(read("ladder.csv").empty());
  EXPECT_FALSE(fs::exists(folder / "ladder.svg"));
}

TEST_F(Charts, SayWhatGnuplotSays) {
  std::ofstream(folder / "gnuplot") << "#!/bin/sh\necho 'no such terminal' >&2\nexit 1\n";
  fs::permissions(folder / "gnuplot", fs::perms::owner_all);
  const OtherPath here(folder.string());
  const roofline::WrittenCharts written = write_charts(folder, {{"a", test::sample_study()}});
  EXPECT_TRUE(contains(written.note, "ladder.gp: no such terminal")) << written.note;
  EXPECT_TRUE(written.drawn.empty());
}

TEST_F(Charts, NeverThrow) {
  const roofline::WrittenCharts written =
      write_charts(folder / "no such folder", {{"a", test::sample_study()}});
  EXPECT_TRUE(contains(written.note, "not written")) << written.note;
}

}  // namespace
}  // namespace gpp
