// gpp lines as a process, without a GPU: records shown again, refusals, the hidden processes.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/record/record.h"
#include "harness/record/record_json.h"
#include "tests/finished.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

using nlohmann::json;

class LinesCommand : public testing::Test {
 protected:
  LinesCommand() {
    study.results.at(0).lines = sample_lines();
    study.results.at(0).lines->terms = study.input.terms;
    write_record(folder, study);
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

TEST_F(LinesCommand, ShowsARecord) {
  const json record =
      json::parse(succeeded(gpp_lines({"v1", "--from", folder.string(), "--json"})).output);
  EXPECT_EQ(record.at("variant"), "v1");
  const json expected = json::parse(to_json(*study.results[0].lines).dump());
  EXPECT_EQ(record.at("lines"), expected.at("lines"));
  const std::string file = (folder / "study.json").string();
  const Texts top = {study.results[0].step, "--model", "omp", "--from", file};
  EXPECT_TRUE(contains_in_order(
      succeeded(gpp_lines(top)).output,
      {"v08_power2.cu:2", "60.0%", "const Complex m = conj(a)", "  array.h:9", "  power2.h:1"}));
  EXPECT_TRUE(contains(succeeded(gpp_lines({"v1", "--all", "--from", file})).output, "// v8"));
}

TEST_F(LinesCommand, SaysWhatARecordLacksAndLeavesIt) {
  refused(gpp_lines({"v7", "--from", folder.string()}), {"gpp lines v7 --into"});
  refused(gpp_lines({"v99", "--from", folder.string()}), {"no result of v99"});
  EXPECT_EQ(gpp_lines({"v1", "--from", (folder / "nothing").string()}).status, 2);
  const std::string before = text();
  EXPECT_EQ(gpp_lines({"v99", "--into", folder.string()}).status, 2);
  EXPECT_EQ(gpp_lines({"v1", "--model", "omp", "--into", folder.string()}).status, 2);
  EXPECT_EQ(text(), before);
}

/// What else lines may hold is tested where processes write them.
TEST_F(LinesCommand, RefusesARecordThatLies) {
  const json whole = json::parse(text());
  const auto refuses = [&](const char* place, const json& value, const char* message) {
    json changed = whole;
    changed[json::json_pointer(std::string("/results/0/lines") + place)] = value;
    std::ofstream(folder / "study.json") << changed.dump();
    EXPECT_EQ(refused(gpp_lines({"v1", "--from", folder.string()}), {message}).output, "");
  };
  refuses("/terms", 7, "lines: terms: the input has 1000000000");
  refuses("/scale", 0.5, "scale: 0.5 is out of range");
  refuses("/counted", {"sectors", "sectors"}, "named twice");
  refuses("/sources", {{"a\nb", json::array()}}, "sources: ");
}

TEST_F(LinesCommand, RefusesHostsAndBadUsage) {
  const roofline::Finished done = ended(gpp_lines({"v1", "--model", "omp", "--device", "host"}), 1);
  EXPECT_TRUE(contains(done.errors, "on GPUs alone"));
  EXPECT_EQ(done.output, "");
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

}  // namespace
}  // namespace gpp::test
