// Tests of report.html's model: its sections and their contents.
#include <filesystem>
#include <utility>

#include "harness/record/record_json.h"
#include "harness/report/page.h"
#include "roofline/base/error.h"
#include "roofline/base/pattern.h"
#include "roofline/page/assemble.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using roofline::LineEvidence;
using roofline::SourcePlace;

Json page_of(const std::vector<NamedStudy>& studies,
             const std::vector<NamedTrajectory>& trajectories = {}) {
  return page_model(studies, trajectories)["pages"][0];
}

Json page_of(const StudyRecord& study) { return page_of({{"one", study}}); }

/// The section with that id, or null.
Json section_of(const Json& page, const std::string& id) {
  for (const Json& section : page["sections"])
    if (section["id"] == id) return section;
  return nullptr;
}

/// The first block of that kind, also inside groups and details.
Json find_block(const Json& blocks, const std::string& kind, const std::string& id = {}) {
  for (const Json& block : blocks) {
    if (block["kind"] == kind && (id.empty() || block.value("id", "") == id)) return block;
    if (!block.contains("blocks")) continue;
    if (const Json inner = find_block(block["blocks"], kind, id); !inner.is_null()) return inner;
  }
  return nullptr;
}

Json panel_of(const Json& page, const std::string& variant) {
  return find_block(section_of(page, "steps")["blocks"], "details", "step-" + variant);
}

TEST(ReportPage, HasASectionForEachThingThatTheRecordTells) {
  const Json page = page_of(roofline_study());
  std::vector<std::string> ids;
  for (const Json& section : page["sections"]) ids.push_back(section["id"]);
  for (const char* id :
       {"ladder", "roofline", "time", "plane", "results", "steps", "ceilings", "record"})
    EXPECT_TRUE(std::find(ids.begin(), ids.end(), id) != ids.end()) << id;
  EXPECT_TRUE(section_of(page, "scaling").is_null());
  EXPECT_TRUE(section_of(page, "trajectory-1").is_null());
  EXPECT_FALSE(
      find_block(section_of(page, "roofline")["blocks"], "chart", "roofline-fp64").is_null());
  EXPECT_EQ(page["switches"]["machine"]["choices"].size(), 2u);
  EXPECT_EQ(page["scope"], Json({"machine", "model"}));
  const Json ranks =
      page_of(read_record(fs::path(GPP_SOURCE_DIR "/results/h200/whole/gpp214_v13")));
  EXPECT_FALSE(find_block(section_of(ranks, "scaling")["blocks"], "table").is_null());
}

TEST(ReportPage, NamesFailuresOnTopAndOnNoChart) {
  const Json page = page_of(sample_study());
  const Json failures = find_block(page["masthead"], "text", "failures");
  EXPECT_TRUE(contains(only(failures["items"]).get<std::string>(), "the variant gave NaN"));
  for (const char* id : {"ladder", "roofline", "time", "results"}) {
    const Json section = section_of(page, id);
    EXPECT_FALSE(contains(section.dump(), "v8")) << id;
  }
  EXPECT_TRUE(contains(panel_of(page, "v8").dump(), "Failed on"));
}

TEST(ReportPage, SaysThatAStudyIsPartialAndWhyNothingIsDrawn) {
  StudyRecord study = sample_study();
  EXPECT_TRUE(page_of(study)["notices"].empty());
  study.complete = false;
  EXPECT_TRUE(contains(page_of(study)["notices"].dump(), "Partial: one."));
  for (Result& result : study.results) result.status = Status::unavailable;
  const Json page = page_of(study);
  EXPECT_TRUE(contains(page["notices"].dump(), "No variant passed its check"));
  EXPECT_FALSE(section_of(page, "unavailable").is_null());
  EXPECT_TRUE(section_of(page, "results").is_null());
  StudyRecord uncounted = sample_study();
  for (Result& result : uncounted.results) result.rooflines.clear();
  const Json bare = page_of(uncounted);
  EXPECT_TRUE(contains(section_of(bare, "roofline").dump(), "Nothing was counted"));
  EXPECT_TRUE(section_of(bare, "time").is_null());
}

TEST(ReportPage, ShowsTrajectoriesBesideTheStudyOnTheMostUnits) {
  const NamedTrajectory named{"path", sample_trajectory()};
  const std::vector<NamedStudy> studies = studies_of(named);
  EXPECT_EQ(only(studies).name, "path: silicon8 on 132 multiprocessors");
  const Json section = section_of(page_of(studies, {named}), "trajectory-1");
  EXPECT_EQ(section["title"], "Over multiprocessors");
  EXPECT_FALSE(find_block(section["blocks"], "chart", "trajectory-chart-1").is_null());
  const Json table = find_block(section["blocks"], "table");
  ASSERT_EQ(table["table"]["rows"].size(), 6u) << "two variants on three numbers";
  EXPECT_TRUE(contains(table["table"]["rows"][2].dump(), "cache capacity (dram 90%"));
}

TEST(ReportPage, OfAPublishedLadderShowsItsSteps) {
  StudyRecord study = sample_study();
  study.ladder = "tutorial";
  const Json section = section_of(page_of(study), "ladder-0");
  ASSERT_FALSE(section.is_null());
  std::vector<std::size_t> rows;
  for (const Json& block : section["blocks"])
    if (block["kind"] == "table") rows.push_back(block["table"]["rows"].size());
  EXPECT_EQ(rows, (std::vector<std::size_t>{5, 5})) << "five steps, of omp and of cuda";
}

TEST(ReportPage, TellsOfEachStepItsLessonItsDifferenceAndWhatItUses) {
  const Json page = page_of(sample_study());
  const Json panel = panel_of(page, "v7");
  EXPECT_TRUE(contains(find_block(panel["blocks"], "prose")["html"].get<std::string>(), "<abbr"));
  const Json diff = find_block(panel["blocks"], "diff");
  EXPECT_EQ(diff["before"], "variants/omp/v06_simplify.cpp");
  EXPECT_EQ(diff["lines"][0][0], "@");
  EXPECT_FALSE(find_block(panel["blocks"], "table").is_null());
  EXPECT_TRUE(find_block(panel_of(page, "v1")["blocks"], "diff").is_null());
  EXPECT_TRUE(panel_of(page, "v9").is_null()) << "which did not run";
}

/// True if the text contains "nan" or "inf" as a word.
bool tells_no_number(const std::string& text) {
  static const roofline::Pattern word("(^|[^A-Za-z])([Nn][Aa][Nn]|[Ii][Nn][Ff])([^A-Za-z]|$)");
  return word.first(text).has_value();
}

void expect_numbers(const Json& part) {
  if (part.is_string())
    EXPECT_FALSE(tells_no_number(part.get<std::string>())) << part;
  else if (part.is_structured())
    for (const auto& [key, value] : part.items())
      if (key != "texts") expect_numbers(value);  // texts are source lines
}

TEST(ReportPage, WorksFromAnyStudyOfTheRecordsKeptHere) {
  EXPECT_TRUE(tells_no_number("at -NaN%") && tells_no_number("inf"));
  EXPECT_FALSE(tells_no_number("information on finance"));
  for (const char* name : {"h200/silicon8", "xeon-2-cores/medium", "h200/stream", "h200/nbody"}) {
    const Json page = page_of(read_record(fs::path(GPP_SOURCE_DIR "/results") / name));
    EXPECT_GT(page["sections"].size(), 4u) << name;
    expect_numbers(page);
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

/// The page's block of sources.
Json source_block(const Json& page) {
  return find_block(section_of(page, "source")["blocks"], "source");
}

/// One line of text per source file, and per line with evidence.
std::string told_sources(const LinesRecord& lines) {
  const Json block = source_block(page_of(study_with(lines)));
  const Json view = block["variants"][0];
  std::string text;
  for (const char* part : {"texts", "reasons", "facts"}) text += block[part].dump() + "\n";
  for (Json file : view["files"]) {
    const Json of_file = std::exchange(file["lines"], Json::array());
    text += file.dump() + "\n";
    for (const Json& line : of_file) text += "  " + line.dump() + "\n";
  }
  for (const Json& row : view["hottest"]["rows"]) text += row.dump() + "\n";
  return text + view["lost"].dump() + view["how"].dump() + "\n";
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
  const Json page = page_of({{"one", study}, {"two", study}});
  const Json block = source_block(page);
  EXPECT_EQ(block["variants"].size(), 2u);
  EXPECT_EQ(block["texts"].size(), 3u);
  EXPECT_EQ(page["switches"]["source"]["choices"].size(), 2u);
}

// ---- The file -----------------------------------------------------------------------------------

TEST(ReportPage, PartsOfTheProgramFitIntoTheirElementsAndLoadNothing) {
  const roofline::PageParts parts = roofline::page_parts();
  EXPECT_TRUE(contains(parts.page, "<!DOCTYPE html>"));
  EXPECT_TRUE(contains(parts.page, "default-src 'none'")) << "and the browser watches over it";
  EXPECT_TRUE(contains_all(parts.style, {"prefers-color-scheme", "--series-0: #"}));
  for (const std::string_view script : {std::string_view(parts.script), parts.plotly})
    for (const char* end : {"</script", "<!--"}) EXPECT_FALSE(contains(script, end));
  EXPECT_FALSE(contains(parts.style, "</style"));
  for (const std::string_view text :
       {parts.page, std::string_view(parts.style), std::string_view(parts.script)})
    for (const char* word : {"https://", "url(", "@import", " src=\""})
      EXPECT_FALSE(contains(text, word));
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
