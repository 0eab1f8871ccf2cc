// gpp lines as a process, without a GPU: records shown again, refusals, the hidden processes.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/record/record.h"
#include "tests/finished.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

using nlohmann::json;

const char* const variant_file = "variants/cuda/v04_iw_outside.cu";

class LinesCommand : public testing::Test {
 protected:
  LinesCommand() {
    study.results.at(0).lines = lines();
    study.results.at(0).lines->terms = study.input.terms;
    write_record(folder, study);
  }

  static LinesRecord lines() {
    LinesRecord record;
    record.period = 2048;
    record.plain_seconds = 0.1;
    record.sampled_seconds = 0.1005;
    record.counted = {"warp_instructions", "sectors"};
    record.sums = record.totals = {{"warp_instructions", 8 * 768'952'000ULL}};
    roofline::LineEvidence own;
    own.place = {variant_file, 2};
    own.function = "kernel";
    own.stalls = {{"wait", 10}};
    own.counts = {{"warp_instructions", 3 * 768'952'000ULL}, {"sectors", 64}};
    roofline::LineEvidence inlined;
    inlined.place = {"gpp/forms/divide.h", 1};
    inlined.called_from = own.place;
    inlined.function = "divide";
    inlined.stalls = {{"long_scoreboard", 30}};
    inlined.counts = {{"warp_instructions", 5 * 768'952'000ULL}, {"sectors", 0}};
    record.lines = {own, inlined};
    record.sources = {{variant_file, {"// the record's own source", "  int kernel();"}},
                      {"gpp/forms/divide.h", {"a / b"}}};
    return record;
  }

  roofline::Finished gpp_lines(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {GPP_BINARY_DIR "/gpp", "lines"});
    return roofline::run_program(arguments);
  }
  std::string text() { return file_text(folder / "study.json"); }

  TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
  StudyRecord study = sample_study();
};

TEST_F(LinesCommand, ShowsARecordForScripts) {
  const roofline::Finished done = succeeded(gpp_lines({"v1", "--from", folder.string(), "--json"}));
  const json record = json::parse(done.output);
  EXPECT_EQ(record.at("variant"), "v1");
  ASSERT_EQ(record.at("lines").size(), 2u);
  const json own = record.at("lines").at(0);
  EXPECT_EQ(own.at("file"), variant_file);
  EXPECT_EQ(own.at("line"), 2);
  EXPECT_EQ(own.at("samples"), 10);
  EXPECT_EQ(own.at("stalls"), (json{{"wait", 10}}));
  EXPECT_EQ(own.at("warp_instructions"), 3 * 768'952'000LL);
  EXPECT_TRUE(own.at("thread_instructions").is_null());
  EXPECT_EQ(record.at("lines").at(1).at("called_from"),
            (json{{"file", variant_file}, {"line", 2}}));
}

TEST_F(LinesCommand, ShowsARecordForPeople) {
  const roofline::Finished top = succeeded(gpp_lines(
      {study.results[0].step, "--model", "omp", "--from", (folder / "study.json").string()}));
  EXPECT_TRUE(
      contains_all(top.output, {"v04_iw_outside.cu:2", "100.0%", "int kernel();", "  divide.h:1",
                                "75.0%", "long_scoreboard 100%", "3,844,760,000"}));
  const roofline::Finished all = succeeded(gpp_lines({"v1", "--all", "--from", folder.string()}));
  EXPECT_TRUE(contains(all.output, "// the record's own source"));
}

TEST_F(LinesCommand, SaysWhatARecordLacks) {
  refused(gpp_lines({"v7", "--from", folder.string()}), {"gpp lines v7 --into"});
  refused(gpp_lines({"v99", "--from", folder.string()}), {"no result of v99"});
  EXPECT_EQ(gpp_lines({"v1", "--from", (folder / "nothing").string()}).status, 2);
}

TEST_F(LinesCommand, RefusesARecordThatLies) {
  struct Wrong {
    const char* place;
    json value;
    const char* message;
  };
  const std::string start = "/results/0/lines";
  const json whole = json::parse(text());
  for (const Wrong& wrong :
       {Wrong{"/terms", 7, "lines: terms: the input has 1000000000"},
        Wrong{"/period", 0, "samples, but a period of 0"},
        Wrong{"/scale", 0.5, "scale: 0.5 is out of range"},
        Wrong{"/counted", {"sectors"}, "'counted' does not name"},
        Wrong{"/counted", {"sectors", "sectors"}, "named twice"},
        Wrong{"/lines/0/warp_instructions", -1, "warp_instructions: -1 is out of range"},
        Wrong{"/lines/0/line", 1e9, "line: "}, Wrong{"/lines/1/called_from/line", 0, "without a"},
        Wrong{"/sources", {{"a\nb", json::array()}}, "sources: "},
        Wrong{"/lost", {1}, "lost[0]: not a text"}}) {
    json changed = whole;
    changed[json::json_pointer(start + wrong.place)] = wrong.value;
    std::ofstream(folder / "study.json") << changed.dump();
    const roofline::Finished done = gpp_lines({"v1", "--from", folder.string()});
    EXPECT_EQ(done.status, 2) << wrong.place;
    EXPECT_TRUE(contains(done.errors, wrong.message)) << wrong.place;
    EXPECT_EQ(done.output, "");
  }
}

TEST_F(LinesCommand, AHostHasNoLines) {
  const roofline::Finished done = ended(gpp_lines({"v1", "--model", "omp", "--device", "host"}), 1);
  EXPECT_TRUE(contains(done.errors, "on GPUs alone"));
  EXPECT_EQ(done.output, "");
}

TEST_F(LinesCommand, BadUsageIsRefused) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"v4", "--period", "4"},
                                                    {"v4", "--top", "0"},
                                                    {"v4", "--counting-time", "nan"},
                                                    {"v4", "--from", "a", "--into", "b"},
                                                    {"v4", "--from", "a", "--preset", "tiny"},
                                                    {"v4", "--elsewhere", "both"},
                                                    {"v99"}})
    EXPECT_EQ(gpp_lines(arguments).status, 2) << (arguments.empty() ? "" : arguments.back());
}

TEST_F(LinesCommand, TheProcessesOfTheModesTellTheirReasonAsADocument) {
  for (const char* mode : {"samples", "instructions"}) {
    const roofline::Finished done =
        gpp_lines({"v1", "--model", "omp", "--device", "host", "--no-build", "--elsewhere", mode});
    EXPECT_EQ(done.status, 1) << mode;
    const json document =
        json::parse(done.output);  // of a machine with a GPU, too: the host's build
    EXPECT_EQ(document.at("what"), "failure");
    EXPECT_NE(document.at("reason"), "");
  }
}

TEST_F(LinesCommand, WhatIsRecordedStaysWhenNothingIsAdded) {
  const std::string before = text();
  EXPECT_EQ(gpp_lines({"v99", "--into", folder.string()}).status, 2);
  EXPECT_EQ(gpp_lines({"v1", "--model", "omp", "--into", folder.string()}).status, 2);
  EXPECT_EQ(text(), before);
}

}  // namespace
}  // namespace gpp::test
