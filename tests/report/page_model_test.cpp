// What report.html shows: its sections, and what stands in them.
#include <cctype>
#include <filesystem>

#include "harness/record/record_json.h"
#include "harness/report/page.h"
#include "roofline/base/error.h"
#include "roofline/page/assemble.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/harness/sample_trajectory.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using roofline::Events;
using roofline::LineEvidence;
using roofline::SourcePlace;

Json page_of(const std::vector<NamedStudy>& studies,
             const std::vector<NamedTrajectory>& trajectories = {}) {
  return page_model(studies, trajectories)["pages"][0];
}

Json page_of(const StudyRecord& study) { return page_of({{"one", study}}); }

/// The section of that id; null where there is none.
Json section_of(const Json& page, const std::string& id) {
  for (const Json& section : page["sections"])
    if (section["id"] == id) return section;
  return nullptr;
}

/// The first block of that kind, in groups and details, too.
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

/// Whether "nan" or "inf" stands in the text as a word.
bool tells_no_number(std::string text) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* word : {"nan", "inf"})
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
      if ((at == 0 || !is_letter(text[at - 1])) &&
          (at + 3 == text.size() || !is_letter(text[at + 3])))
        return true;
  return false;
}

void expect_numbers(const Json& part) {
  if (part.is_string())
    EXPECT_FALSE(tells_no_number(part.get<std::string>())) << part;
  else if (part.is_structured())
    for (const auto& [key, value] : part.items())
      if (key != "texts") expect_numbers(value);  // lines of sources
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

const char* const own_file = "variants/omp/v07_reciprocal.cpp";
const char* const form = "gpp/forms/divide.h";

LineEvidence line_of(const SourcePlace& place, std::optional<SourcePlace> from, Events stalls,
                     std::uint64_t instructions) {
  return {place, std::move(from), "f", std::move(stalls), {{"warp_instructions", instructions}}};
}

/// Line 2 of the variant with a line of a form inlined there, the same line of the form in a kernel
/// of its own, and a division without a line: 10, 60, 20 and 10 of 100 samples.
LinesRecord sample_lines() {
  LinesRecord record;
  record.period = 4096;
  record.counted = {"warp_instructions"};
  record.lost = {"a doubt"};
  record.lines = {line_of({"", 0}, {}, {{"wait", 10}}, 1),
                  line_of({form, 1}, {}, {{"wait", 20}}, 2),
                  line_of({form, 1}, SourcePlace{own_file, 2},
                          {{"wait", 15}, {"barrier", 40}, {"selected", 5}}, 3),
                  line_of({own_file, 2}, {}, {{"barrier", 10}}, 4)};
  record.lines.front().function = "division";
  record.sources = {{own_file, {"one", "two", "three"}}, {form, {"form"}}};
  return record;
}

/// The block of sources of a study whose v7 has these lines.
Json source_block(const LinesRecord& lines) {
  StudyRecord study = sample_study();
  study.results[1].lines = lines;
  return find_block(section_of(page_of(study), "source")["blocks"], "source");
}

/// What was inlined is charged to the line that called it, stalls come most first and issuing is
/// none, code without a line stands for itself. Then what changes of records that say strange
/// things, of what was not sampled, and where most parts are left out.
TEST(SourceSection, IsTheOneThatIsKept) {
  LinesRecord strange = sample_lines(), counted = strange, many = strange;
  strange.sources[""] = {"a text of no file"};
  strange.lines.push_back(line_of({form, 1}, SourcePlace{"", 0}, {{"wait", 1}}, 1));
  strange.lines.push_back(line_of({"gone.h", 1'000'000'000}, {}, {}, 0));
  counted.period = 0;
  for (LineEvidence& line : counted.lines) line.stalls.clear();
  for (int number = 2; number < 22; ++number)
    many.lines.push_back(line_of({form, number}, SourcePlace{own_file, 2}, {{"wait", 1}}, 1));
  const std::string before = source_block(sample_lines()).dump(1) + "\n";
  const auto change = [&before](const LinesRecord& after) {
    return changed_lines(before, source_block(after).dump(1) + "\n");
  };
  expect_kept("report/source.txt", before + "\n==== strange\n" + change(strange) +
                                       "\n==== not sampled\n" + change(counted) +
                                       "\n==== many parts\n" + change(many));
}

TEST(SourceSection, HoldsEachTextOnce) {
  StudyRecord study = sample_study();
  study.results[1].lines = sample_lines();
  const Json page = page_of({{"one", study}, {"two", study}});
  const Json block = find_block(section_of(page, "source")["blocks"], "source");
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
