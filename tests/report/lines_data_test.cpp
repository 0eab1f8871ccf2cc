// What the page is given of source lines: attribution, shares, and each text once.
#include "harness/report/lines_data.h"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/record/record_json.h"
#include "harness/report/data.h"
#include "tests/harness/sample_study.h"

namespace gpp {
namespace {

using Json = nlohmann::ordered_json;
using roofline::Events;
using roofline::LineEvidence;
using roofline::SourcePlace;

const char* const own_file = "variants/cuda/v07_reciprocal.cu";
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

/// The file of that path.
Json file_of(const Json& view, const std::string& path) {
  for (const Json& file : view["files"])
    if (file["path"] == path) return file;
  return {};
}

TEST(LinesView, ChargesWhatWasInlinedToTheLineThatCalledIt) {
  SourceTexts texts;
  const Json view = lines_view_json(sample_lines(), own_file, texts);
  const Json own = view["files"][0];
  EXPECT_EQ(own["path"], own_file) << "the variant's own file comes first";
  EXPECT_TRUE(own["own"].get<bool>());
  EXPECT_EQ(own["share"], 0.7);
  ASSERT_EQ(own["lines"].size(), 1u);
  const Json& line = own["lines"][0];
  EXPECT_EQ(line["line"], 2);
  EXPECT_EQ(line["share"], 0.7);
  EXPECT_EQ(line["counts"], Json({7}));
  ASSERT_EQ(line["parts"].size(), 1u) << "its own instructions are no part";
  EXPECT_EQ(view["files"][line["parts"][0][0].get<std::size_t>()]["path"], form);
  EXPECT_EQ(line["parts"][0][1], 1);
  EXPECT_EQ(line["parts"][0][2], 0.6);
}

TEST(LinesView, ChargesOtherFilesWithWhatIsTheirOwnWhoeverCalled) {
  SourceTexts texts;
  const Json other = file_of(lines_view_json(sample_lines(), own_file, texts), form);
  EXPECT_FALSE(other["own"].get<bool>());
  ASSERT_EQ(other["lines"].size(), 1u);
  EXPECT_EQ(other["lines"][0]["share"], 0.8);
  EXPECT_EQ(other["lines"][0]["parts"], Json::parse("[[0, 2, 0.6]]")) << "the line that called it";
}

TEST(LinesView, NamesStallsMostFirstAndIssuingIsNone) {
  SourceTexts texts;
  const Json view = lines_view_json(sample_lines(), own_file, texts);
  const Json line = view["files"][0]["lines"][0];
  EXPECT_EQ(line["stalls"], Json::parse(R"([["barrier", 50], ["wait", 15]])"));
  EXPECT_EQ(line["issued"], 5);
}

TEST(LinesView, CodeWithoutALineStandsForItself) {
  SourceTexts texts;
  const Json view = lines_view_json(sample_lines(), own_file, texts);
  const Json file = file_of(view, "");
  EXPECT_EQ(texts.json()[file["text"].get<std::size_t>()], Json({"division"}));
  EXPECT_EQ(file["lines"][0]["line"], 1);
  EXPECT_FALSE(file["own"].get<bool>());
  EXPECT_EQ(lines_view_json(sample_lines(), "", texts)["files"][0]["path"], own_file)
      << "also where the program does not know the variant";
}

TEST(LinesView, StandsRecordsThatSayStrangeThings) {
  LinesRecord record = sample_lines();
  record.sources[""] = {"a text of no file"};
  record.lines.push_back(line_of({form, 1}, SourcePlace{"", 0}, {{"wait", 1}}, 1));
  record.lines.push_back(line_of({"gone.h", 1'000'000'000}, {}, {}, 0));
  SourceTexts texts;
  const Json view = lines_view_json(record, own_file, texts);
  EXPECT_FALSE(file_of(view, "")["own"].get<bool>());
  EXPECT_EQ(texts.json()[file_of(view, "")["text"].get<std::size_t>()], Json({"division"}));
  EXPECT_TRUE(file_of(view, "gone.h")["text"].is_null());
  EXPECT_EQ(lines_view_json({}, "", texts)["files"], Json::array());
}

/// Code of OpenMP on a GPU has no inlined calls.
TEST(LinesView, TheVariantsFileComesFirstWhereNothingIsKnownOfCalls) {
  LinesRecord record = sample_lines();
  for (LineEvidence& line : record.lines) line.called_from.reset();
  SourceTexts texts;
  const Json view = lines_view_json(record, own_file, texts);
  EXPECT_EQ(view["files"][0]["path"], own_file);
  EXPECT_TRUE(view["files"][0]["own"].get<bool>());
  EXPECT_EQ(view["files"][1]["share"], 0.8) << "though the form is hotter";
}

TEST(LinesView, NamesTheHottestLinesAndWhatIsDoubtful) {
  SourceTexts texts;
  const Json view = lines_view_json(sample_lines(), own_file, texts);
  ASSERT_EQ(view["hottest"].size(), 2u);
  EXPECT_EQ(view["hottest"][0]["line"], 2);
  EXPECT_EQ(view["hottest"][0]["share"], 0.7);
  EXPECT_EQ(view["hottest"][1]["share"], 0.2) << "but for what is told of its callers";
  EXPECT_EQ(view["hottest"][1]["stalls"], Json::parse(R"([["wait", 20]])"));
  EXPECT_EQ(view["lost"], Json({"a doubt"}));
  EXPECT_EQ(view["how"][0], "100 samples, one of a multiprocessor every 4096 cycles.");
  EXPECT_EQ(view["of"], "samples");
}

TEST(LinesView, SharesAreOfInstructionsWhereNothingWasSampled) {
  LinesRecord record = sample_lines();
  record.period = 0;
  for (LineEvidence& line : record.lines) line.stalls.clear();
  SourceTexts texts;
  const Json view = lines_view_json(record, own_file, texts);
  EXPECT_EQ(view["of"], "warp instructions");
  EXPECT_EQ(view["files"][0]["share"], 0.7);
  EXPECT_TRUE(view["files"][0]["lines"][0]["stalls"].empty());
}

TEST(LinesView, LeavesOutTheCoolestPartsAndSaysSo) {
  LinesRecord record = sample_lines();
  for (int number = 2; number < 22; ++number)
    record.lines.push_back(line_of({form, number}, SourcePlace{own_file, 2}, {{"wait", 1}}, 1));
  SourceTexts texts;
  const Json line = lines_view_json(record, own_file, texts)["files"][0]["lines"][0];
  EXPECT_EQ(line["parts"].size(), 12u);
  EXPECT_EQ(line["parts"][0][1], 1) << "the hottest one first";
  EXPECT_EQ(line["more"], 9);
}

TEST(SourceTexts, HoldEachTextOnce) {
  SourceTexts texts;
  EXPECT_EQ(texts.place_of({"a", "b"}), 0u);
  EXPECT_EQ(texts.place_of({"c"}), 1u);
  EXPECT_EQ(texts.place_of({"a", "b"}), 0u);
  EXPECT_EQ(texts.json().size(), 2u);
}

TEST(ReportData, HoldsLinesOnceAndWorkedOut) {
  StudyRecord study = test::sample_study();
  study.results[1].lines = sample_lines();
  const Json data = report_data({{"one", study}, {"two", study}}, {});
  EXPECT_FALSE(data["studies"][0]["study"]["results"][1].contains("lines"));
  EXPECT_TRUE(data["studies"][0]["lines"][0].is_null());
  EXPECT_EQ(data["studies"][0]["lines"][1]["files"][0]["path"], own_file);
  EXPECT_EQ(data["source_texts"].size(), 3u) << "both studies have the same texts";
}

/// Of v12 on an H200.
TEST(LinesView, AddsUpToAllSamplesOfARealRecord) {
  std::ifstream file(GPP_SOURCE_DIR "/tests/report/sample-lines/study.json");
  const StudyRecord study = gpp::from_json(nlohmann::json::parse(file), "the sample");
  const LinesRecord& record = *study.results.back().lines;
  SourceTexts texts;
  const Json view = lines_view_json(record, "variants/cuda/v12_real_poles.cu", texts);
  EXPECT_EQ(view["files"][0]["path"], "variants/cuda/v12_real_poles.cu");
  double own = 0, alone = 0;
  for (const Json& line : view["files"][0]["lines"]) own += line["share"].get<double>();
  for (const LineEvidence& line : record.lines)
    if (!line.called_from && !line.place.file.starts_with("variants/cuda/v12"))
      alone += static_cast<double>(line.samples());
  EXPECT_NEAR(own + alone / 1290492, 1, 1e-4);
  EXPECT_NEAR(view["files"][0]["share"].get<double>(), own, 1e-4);
}

}  // namespace
}  // namespace gpp
