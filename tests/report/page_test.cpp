// Tests of report.html: its sections and their contents.

#include "harness/report/page.h"
#include "harness/record/record_json.h"
#include "harness/view/study_charts.h"
#include "roofline/base/text.h"
#include "roofline/page/page.h"
#include "roofline/view/svg.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/roofline/page_text.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;
using roofline::LineEvidence;
using roofline::SourcePlace;
using roofline::test::body_of;
using roofline::test::fault_of_page;
using roofline::test::part_of;
using roofline::test::told_of;
using roofline::test::words_of;

/// The page, which must have no fault.
std::string page_of(const std::vector<NamedStudy>& studies,
                    const std::vector<NamedTrajectory>& trajectories = {}) {
  std::string page = report_html(studies, trajectories);
  EXPECT_EQ(fault_of_page(page), "");
  return page;
}

std::string page_of(const StudyRecord& study) { return page_of({{"one", study}}); }

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// What a page says and where, without its steps, whose lessons and sources change, its charts,
/// and its footer.
std::string told_page(std::string page) {
  page.erase(page.find("<footer>"));
  if (const std::string steps = part_of(page, "steps"); !steps.empty())
    page.erase(page.find(steps), steps.size());
  for (std::size_t at = page.find("<svg"); at != page.npos; at = page.find("<svg", at))
    page.erase(at, page.find("</svg>", at) + 6 - at);
  return told_of(page + "\n<script>");
}

/// A section for each thing that the record tells: each model on charts of its own, in the colours
/// of levels, the fastest first; failures on top and on no chart; why something is missing.
TEST(ReportPage, IsTheOneThatIsKept) {
  const auto told = [](const StudyRecord& study) { return told_page(page_of(study)); };
  const std::vector<Change<StudyRecord>> changes = {
      {"partial, with stalls, and an idea of one's own in omp",
       [](StudyRecord& study) {
         study.complete = false;
         for (Result& result : study.results) {
           result.counted.metrics.insert({{"stall_long_scoreboard", 3}, {"stall_wait", 1}});
           if (result.model == "omp" && result.variant == "v3") result.sources["mine.cpp"] = {};
         }
       }},
      {"one failed",
       [](StudyRecord& study) {
         study.results[2].status = Status::failed;
         study.results[2].reason = "the variant gave NaN";
       }},
      {"nothing was counted",
       [](StudyRecord& study) {
         for (Result& result : study.results) {
           result.rooflines.clear();
           result.counted.reason = "no permission";
         }
       }},
      {"nothing ran",
       [](StudyRecord& study) {
         for (Result& result : study.results) result.status = Status::unavailable;
       }},
      {"of a ladder", [](StudyRecord& study) { study.ladder = "tutorial"; }}};
  expect_kept("report/page.txt", told_with_changes(roofline_study(), changes, told));
  const std::string page = page_of(roofline_study());
  EXPECT_TRUE(contains_all(page, {"name=\"model\" value=\"cuda\" checked=\"checked\"",
                                  "name=\"model\" value=\"omp\"/>", "fill=\"var(--level-dram)\""}));
  EXPECT_FALSE(contains(part_of(page, "roofline"), "var(--series")) << "colour is the level alone";
  StudyRecord study = roofline_study();
  std::erase_if(study.results, [](const Result& one) { return one.model != "omp"; });
  const Result first = study.results.front();
  for (Result& result : study.results) {
    result.rooflines = first.rooflines;
    result.samples = first.samples;
    for (roofline::RooflinePoint& point : result.rooflines) point.levels.resize(1);
  }
  EXPECT_TRUE(contains(part_of(page_of(study), "roofline"), "All points lie at one place"));
}

TEST(ReportPage, ShowsTrajectoriesAndRanks) {
  const NamedTrajectory named{"path", sample_trajectory()};
  const std::string section = part_of(page_of({}, {named}), "trajectory-1");
  EXPECT_TRUE(
      contains_all(section, {"Over multiprocessors", "id=\"trajectory-chart-1\"", "dram (90%"}));
  EXPECT_EQ(count_of(section, "<tr"), 7u) << "two variants on three numbers";
  const std::string ranks =
      page_of(read_record(fs::path(GPP_SOURCE_DIR "/results/h200/whole/gpp214_v13")));
  EXPECT_TRUE(contains(part_of(ranks, "scaling"), "<table"));
}

TEST(ReportPage, TellsOfEachStepItsIdeaItsOutcomeAndItsDifference) {
  const std::string page = page_of(sample_study()), panel = part_of(page, "step-v7");
  EXPECT_TRUE(contains_in_order(panel, {"class=\"idea\"", "v7 takes 500.0 ms: 4.00x over v1",
                                        "<code>variants/omp/v06_simplify.cpp</code> to ",
                                        "class=\"place\"", "class=\"added\""}));
  EXPECT_FALSE(contains(part_of(page, "step-v1"), "class=\"diff\""));
  EXPECT_TRUE(contains(part_of(page, "step-v8"), "Failed on"));
  EXPECT_EQ(part_of(page, "step-v9"), "") << "which did not run";
}

/// True if the text contains "nan" or "inf" as a word.
bool tells_no_number(const std::string& text) {
  static const roofline::Pattern word("(^|[^A-Za-z])([Nn][Aa][Nn]|[Ii][Nn][Ff])([^A-Za-z]|$)");
  return word.first(text).has_value();
}

TEST(ReportPage, WorksFromAnyStudyOfTheRecordsKeptHereAndIsSmall) {
  EXPECT_TRUE(tells_no_number("at -NaN%") && tells_no_number("inf"));
  EXPECT_FALSE(tells_no_number("information on finance"));
  for (const auto& [name, most] : {std::pair("h200/gpp214", 1'000'000),
                                   {"h200/silicon8", 1'500'000},
                                   {"xeon-2-cores/medium", 700'000},
                                   {"h200/stream", 700'000},
                                   {"h200/nbody", 700'000}}) {
    const std::string page = page_of(read_record(fs::path(GPP_SOURCE_DIR "/results") / name));
    EXPECT_LT(page.size(), static_cast<std::size_t>(most)) << name;
    std::string body = body_of(page);
    body.erase(std::min(body.find("<section id=\"source\""), body.size()));  // sources have words
    EXPECT_FALSE(tells_no_number(words_of(body))) << name;
  }
}

TEST(ReportPage, HoldsNothingThatActsWhateverARecordHolds) {
  for (const std::string& evil :
       {std::string("</script><script>alert(1)</script>"), std::string("\" onload=\"alert(1)"),
        std::string("&amp;<!--]]>"), std::string("a\u202eb\u2028c\x1b[2J\x01\r"),
        std::string("x=y;z=w")}) {
    StudyRecord study = roofline_study();
    study.input.path = study.machine.cpu = study.machine.os = evil;
    for (roofline::Ceilings& ceilings : study.ceilings) {
      ceilings.device = evil;
      for (roofline::Ceiling& roof : ceilings.list) roof.label = evil;
    }
    for (Result& result : study.results) {
      result.device = result.step = result.parent = evil;
      result.reason = result.counted.reason = evil;
      result.counted.defects = {evil};
    }
    study.results[0].variant = evil;
    study.results[1].status = Status::failed;
    study.results[2].sources[evil] = {evil};
    LinesRecord lines = sample_lines();
    lines.sources["v8.cu"] = {evil};
    lines.lost = {evil};
    lines.lines.push_back({{evil, 1}, {}, evil, {{"wait", 1}}, {}});
    study.results[3].lines = lines;
    const std::string page = report_html({{evil, study}, {"two", study}});
    EXPECT_EQ(fault_of_page(page), "") << evil;
    EXPECT_EQ(count_of(page, "<script"), 1u);
    for (const roofline::Chart& chart : study_charts({{evil, study}}))
      EXPECT_EQ(roofline::test::not_well_formed(roofline::svg_text(chart)), "") << evil;
  }
}

// ---- Source lines -------------------------------------------------------------------------------

/// CUDA's v8 with the given lines as its own.
StudyRecord study_with(const LinesRecord& lines) {
  StudyRecord study = sample_study();
  Result& result = study.results[1];
  result.variant = "v8";
  result.step = "power2";
  result.model = "cuda";
  result.lines = lines;
  return study;
}

std::string told_sources(const LinesRecord& lines) {
  return words_of(part_of(page_of(study_with(lines)), "source"));
}

/// Inlined code is charged to the calling line; stalls are sorted by samples without issuing; code
/// without a line is separate. Then come the effects of strange records, of unsampled variants, and
/// of many small parts.
TEST(SourceSection, IsTheOneThatIsKeptAndHoldsEachTextOnce) {
  const std::vector<Change<LinesRecord>> changes = {
      {"strange",
       [](LinesRecord& record) {
         record.sources[""] = {"a text of no file"};
         record.lines.push_back({{"gone.h", 1'000'000'000}, {}, "f", {}, {}});
         record.lines.push_back({{"gone.h", 1}, SourcePlace{"", 0}, "f", {{"wait", 1}}, {}});
       }},
      {"not sampled",
       [](LinesRecord& record) {
         record.period = 0;
         for (LineEvidence& line : record.lines) line.stalls.clear();
       }},
      {"many parts", [](LinesRecord& record) {
         for (int line = 2; line < 22; ++line)
           record.lines.push_back(
               {{"gone.h", line}, record.lines[0].place, "f", {{"wait", 1}}, {}});
       }}};
  expect_kept("report/source.txt", told_with_changes(sample_lines(), changes, told_sources));
  const StudyRecord study = study_with(sample_lines());
  const std::string page = page_of({{"one", study}, {"two", study}});
  EXPECT_EQ(count_of(page, "name=\"source\""), 2u);
}

// ---- The file -----------------------------------------------------------------------------------

TEST(ReportPage, HasAShortScript) {
  for (const roofline::EmbeddedText& file : roofline::embedded_page()) {
    EXPECT_LE(count_of(std::string(file.text), "\n"), file.path == "page.js" ? 150u : 250u);
    for (const char* part : {"</script", "<!--", "</style", "innerHTML", "eval"})
      EXPECT_FALSE(contains(file.text, part));
  }
}

TEST(WriteReport, WritesOneFileAndSaysWhereOrWhyNot) {
  const TemporaryFolder folder;
  EXPECT_EQ(write_report(folder.path(), {{"sample", sample_study()}}), folder / "report.html");
  EXPECT_TRUE(contains_all(file_text(folder / "report.html"),
                           {"<title>Sigma-GPP on a processor</title>", "the variant gave NaN"}));
  EXPECT_EQ(folder.names(), Texts{"report.html"});
  EXPECT_TRUE(contains(thrown<roofline::InputError>([&folder] {
                         write_report(folder / "none", {{"sample", sample_study()}});
                       }),
                       "none"));
}

}  // namespace
}  // namespace gpp::test
