// What the page is given.
#include "harness/report/data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include "gpp/study/published.h"
#include "harness/record/record_json.h"
#include "harness/report/write.h"
#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/harness/sample_trajectory.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

TEST(ReportData, HoldsEveryStudyAsItIsRecorded) {
  const StudyRecord study = test::sample_study();
  const Json data = report_data({{"one", study}, {"two", study}}, {});
  ASSERT_EQ(data["studies"].size(), 2u);
  EXPECT_EQ(data["studies"][0]["name"], "one");
  EXPECT_EQ(data["studies"][1]["study"], to_json(study));
}

TEST(ReportData, OfAPublishedLadderHoldsItsNumbersAndNoOthers) {
  StudyRecord study = test::sample_study();
  EXPECT_FALSE(report_data({{"one", study}}, {})["published"]["steps"].empty());
  study.ladder = "tutorial";
  const Json data = report_data({{"one", study}}, {});
  EXPECT_TRUE(data["published"]["steps"].empty()) << "SC19's speedups are over its own v1";
  EXPECT_EQ(data["studies"][0]["study"]["ladder"]["rows"].size(), 10u);
}

TEST(ReportData, HoldsTrajectoriesAsTheyAreDrawn) {
  const NamedTrajectory named{"path", test::sample_trajectory()};
  const std::vector<NamedStudy> studies = studies_of(named);
  ASSERT_EQ(studies.size(), 1u);
  EXPECT_EQ(studies[0].name, "path: silicon8 on 132 multiprocessors");
  const Json data = report_data(studies, {}, {named});
  const Json& path = data["trajectories"].at(0);
  EXPECT_EQ(path["units"], "multiprocessors");
  EXPECT_EQ(path["lines"].size(), 2u);
  const Json& stops = path["lines"][0]["stops"];
  ASSERT_EQ(stops.size(), 3u);
  EXPECT_EQ(stops[2]["speedup"], 16.5);
  EXPECT_EQ(stops[2]["change"], 0.5);
  EXPECT_TRUE(contains(stops[2]["limit"].get<std::string>(), "cache capacity (dram 90%"));
  ASSERT_EQ(path["charts"].size(), 2u);
  const Json& l2 = path["charts"][0];
  EXPECT_EQ(l2["name"], "trajectory-l2");
  EXPECT_EQ(l2["roofs"].size(), 3u);
  EXPECT_EQ(l2["curves"][1]["marks"][0]["counted"], false) << "v11 on fewer than all";
  EXPECT_EQ(l2["curves"][1]["marks"][2]["counted"], true);
  EXPECT_EQ(path["charts"][1]["notes"].size(), 1u);
  EXPECT_TRUE(report_data(studies, {})["trajectories"].empty());
}

TEST(ReportData, SaysOfEachResultWhatHeldItBack) {
  StudyRecord study = test::sample_study();
  study.results[1].rooflines.front().percent_of_roof = 26;
  const Json data = report_data({{"one", study}}, {});
  const Json& verdicts = data["studies"][0]["verdicts"];
  ASSERT_EQ(verdicts.size(), study.results.size());
  EXPECT_EQ(verdicts[1]["by"], "latency");
  EXPECT_EQ(verdicts[1]["text"], "latency (wait 3 per issue)");
  EXPECT_EQ(verdicts[1]["top_stall"]["name"], "wait");
  EXPECT_EQ(verdicts[1]["advice"]["cause"], "wait");
  EXPECT_FALSE(verdicts[1]["advice"]["next"].get<std::string>().empty());
  EXPECT_TRUE(verdicts[0]["advice"].is_null());
  EXPECT_TRUE(verdicts[0]["by"].is_null()) << "which was not counted";
  EXPECT_EQ(data["studies"][0]["study"]["results"][1]["roofline"]["bound_by"], "l1");
}

TEST(ReportData, HoldsInstructionsOrWhyThereAreNone) {
  StudyRecord study = test::sample_study();
  study.ceilings.front().kind = study.results[1].kind = "gpu";
  const Json none = report_data({{"one", study}}, {});
  EXPECT_EQ(none["instruction_models"].size(), 3u);
  const Json& lacking = none["studies"][0]["verdicts"][1];
  EXPECT_TRUE(lacking["instructions"].is_null());
  EXPECT_EQ(lacking["no_instructions"].at(1).at("reason"), "global_instructions was not counted");

  roofline::Ceilings& gpu = study.ceilings.front();
  for (const auto& [name, kind, roof] :
       {std::tuple{"issue", roofline::CeilingKind::compute, 1e12},
        std::tuple{"shared", roofline::CeilingKind::bandwidth, 3e13}})
    gpu.list.push_back({name, name, kind, roof, {}, 1980, "", {}});
  study.results[1].counted.metrics["shared_instructions"] = 2e9;
  study.results[1].counted.metrics["shared_wavefronts"] = 4e9;
  const Json data = report_data({{"one", study}}, {});
  const Json& facts = data["studies"][0]["verdicts"][1]["instructions"];
  EXPECT_EQ(facts.at("walls").at("shared_access").at("ratio"), 0.5);
}

TEST(ReportData, FailedVariantsHaveNoTimeToDraw) {
  const Json data = report_data({{"one", test::sample_study()}}, {});
  for (const Json& result : data["studies"][0]["study"]["results"]) {
    if (result["status"] == "passed") continue;
    EXPECT_TRUE(result["time_s"]["median"].is_null());
    EXPECT_TRUE(result["roofline"].empty());
  }
}

TEST(ReportData, HoldsThePublishedSteps) {
  const Json published = report_data({}, {})["published"]["steps"];
  ASSERT_EQ(published.size(), 9u);
  EXPECT_EQ(published[6]["version"], "v7");
  EXPECT_EQ(published[6]["time_s"], 0.66);
  EXPECT_NEAR(published[6]["terms_per_s"].get<double>(), 2.45422e10 / 0.66, 1);
  EXPECT_EQ(published[1]["registers"], 186);
  EXPECT_TRUE(published[0]["registers"].is_null()) << "the slides do not tell";
}

TEST(ReportData, HoldsWhatTheStepsOfTheStudiesChanged) {
  const Json sources = report_data({{"one", test::sample_study()}}, {})["sources"];
  EXPECT_EQ(sources["omp v7"]["predecessor"], "v6");
  ASSERT_FALSE(sources["omp v7"]["files"].empty());
  const Json& file = sources["omp v7"]["files"][0];
  EXPECT_EQ(file["before"], "variants/omp/v06_simplify.cpp");
  EXPECT_EQ(file["lines"][0][0], "@");
  EXPECT_TRUE(sources["omp v1"]["predecessor"].is_null());
  EXPECT_FALSE(sources.contains("omp v5")) << "which the study does not have";
  EXPECT_FALSE(sources.contains("cuda v9")) << "which did not run";
}

TEST(ReportData, HoldsLessonsAndMetrics) {
  const Json data = report_data({}, {});
  EXPECT_EQ(data["lessons"]["v7"]["step"], "reciprocal");
  EXPECT_TRUE(data["glossary"]["warp"].get<std::string>().starts_with("32 threads"));
  // A word that the lesson links where the page does not show it is linked where the page does.
  const std::string idea = data["lessons"]["v4"]["idea"];
  EXPECT_NE(idea.find("[frequencies](../docs/glossary.md#frequency)"), std::string::npos) << idea;
  EXPECT_EQ(data["metrics"][0]["name"], "fp64_flop");
  EXPECT_EQ(data["metrics"][0]["unit"], "FLOP");
}

/// The sample ran on a host alone.
TEST(ReportData, TellsOfTheKindOfDeviceThatWasStudied) {
  const auto predict = [](const std::vector<NamedStudy>& studies) {
    return report_data(studies, {})["lessons"]["v9"]["predict"].get<std::string>();
  };
  const std::string of_host = predict({{"one", test::sample_study()}}), of_all = predict({});
  EXPECT_TRUE(contains(of_all, "On a GPU: ") && contains(of_all, "On a host: ")) << of_all;
  EXPECT_FALSE(contains(of_host, "On a GPU: ") || contains(of_host, "On a host: ")) << of_host;
  EXPECT_LT(of_host.size(), of_all.size());
  EXPECT_FALSE(report_data({}, {})["lessons"]["v9"]["on_host"].get<std::string>().empty());
}

TEST(ReportData, HoldsStaticCharts) {
  EXPECT_EQ(report_data({}, {{"roofline.svg", "data:foo"}})["charts"]["roofline.svg"], "data:foo");
}

TEST(Report, PartsOfTheProgramFitIntoTheirElements) {
  const roofline::PageParts parts = embedded_parts();
  EXPECT_TRUE(contains(parts.page, "<!DOCTYPE html>"));
  EXPECT_TRUE(contains(parts.style, "prefers-color-scheme"));
  for (const std::string_view script : {std::string_view(parts.script), parts.plotly}) {
    EXPECT_FALSE(contains(script, "</script"));
    EXPECT_FALSE(contains(script, "<!--"));
  }
  EXPECT_FALSE(contains(parts.style, "</style"));
}

TEST(Report, LoadsNothingFromAnywhere) {
  const roofline::PageParts parts = embedded_parts();
  EXPECT_TRUE(contains(parts.page, "default-src 'none'")) << "and the browser watches over it";
  for (const std::string_view text :
       {parts.page, std::string_view(parts.style), std::string_view(parts.script)})
    for (const char* word : {"http://", "https://", "url(", "@import", " src=\""})
      EXPECT_FALSE(contains(text, word)) << word;
}

TEST(Report, ScriptsStandInTheOrderThatTheyNeed) {
  const std::string script = embedded_parts().script;
  EXPECT_LT(script.find("function el("), script.find("function drawRoofline("));
  EXPECT_LT(script.find("JSON.parse("), script.find("const ladderViews"))
      << "the words of the kernel";
  EXPECT_LT(script.find("function drawRoofline("), script.find("\nbuild();"));
  EXPECT_GT(script.size(), 20'000u);
}

class WriteReport : public testing::Test {
 protected:
  test::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

TEST_F(WriteReport, WritesOneFileAndSaysWhere) {
  const fs::path path = write_report(folder, {{"sample", test::sample_study()}});
  EXPECT_EQ(path, folder / "report.html");
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str().find("<title>Sigma-GPP on a processor</title>"), std::string::npos);
  EXPECT_NE(text.str().find("the variant gave NaN"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(WriteReport, SaysWhereItCannotWrite) {
  try {
    write_report(folder / "none", {{"sample", test::sample_study()}});
    FAIL() << "wrote into a folder that is not there";
  } catch (const roofline::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("none"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gpp
