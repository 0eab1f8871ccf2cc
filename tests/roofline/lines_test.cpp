// `roofline lines` from end to end, with a driver, a CUPTI and a program that are fakes.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "roofline/machine_code/sass.h"
#include "roofline/program_lines.h"
#include "tests/roofline/recorded.h"

namespace roofline::test {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

using nlohmann::json;

class Lines : public testing::Test {
 protected:
  void SetUp() override {
    place.environment = {"FAKE_CUDA_SOURCES=" + place.folder().string()};
    write(source(), "first\nload = from[i];\nto[i] = load;\n");
  }

  std::string source() const { return place.file("one.cu"); }

  Finished lines(const Words& words, const Words& options = {}) const {
    Words arguments = {"lines"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", FAKE_PROGRAM});
    arguments.insert(arguments.end(), words.begin(), words.end());
    Finished done = run_program(place.tool(arguments));
    EXPECT_TRUE(std::filesystem::is_empty(place.folder() / "tmp")) << "something is left behind";
    return done;
  }
  Finished tool(const Words& arguments) const { return run_program(place.tool(arguments)); }

  LinesRecord record() const {
    const std::string text =
        gpp::test::file_text(place.folder() / "roofline-lines-fake_program" / "lines.json");
    return read_lines(json::parse(text), "lines.json").lines;
  }
  const LineEvidence& at(const LinesRecord& record, const std::string& file, int line) const {
    for (const LineEvidence& one : record.lines)
      if (one.place == SourcePlace{file, line}) return one;
    static const LineEvidence none;
    ADD_FAILURE() << file << ":" << line << " is missing";
    return none;
  }

  Recorded place;
};

TEST_F(Lines, ChargesSamplesAndCountsOfAProgramToItsSource) {
  const Finished done = succeeded(lines({"launch=k1*2", "sync", "launch=k3", "say=hello"}));
  EXPECT_TRUE(contains(done.output, "hello\n")) << "the program is seen once";
  EXPECT_TRUE(contains_all(done.output, {"load = from[i];", "long_scoreboard 100%"}));
  const LinesRecord record = this->record();
  EXPECT_EQ(record.period, 1 << 16);
  Events stalls, counts;
  for (const LineEvidence& line : record.lines) {
    add_events(stalls, line.stalls);
    add_events(counts, line.counts);
  }
  EXPECT_EQ(stalls, (Events{{"long_scoreboard", 15}, {"selected", 5}}));
  EXPECT_EQ(counts, (Events{{"warp_instructions", 320},
                            {"thread_instructions", 10240},
                            {"thread_instructions_pred_on", 10240}}));
  EXPECT_EQ(record.sources.at(source()).at(1), "load = from[i];");
  EXPECT_TRUE(std::filesystem::exists(place.folder() / "roofline-lines-fake_program/lines.html"));
}

TEST_F(Lines, OnlyOfTheKernelsThatWereAskedFor) {
  EXPECT_EQ(lines({"launch=k1", "launch=other5"}, {"--kernel", "^k", "--samples-only"}).status, 0);
  const LinesRecord record = this->record();
  EXPECT_EQ(sum_of(total_stalls(record.lines)), 4u);
  EXPECT_FALSE(record.has_counts());
}

TEST_F(Lines, AreMachineCodeWhereTheProgramHasNone) {
  place.environment.push_back("PATH=" + place.folder().string() + ":/usr/bin:/bin");
  write(place.file("nvdisasm"),
        "#!/bin/sh\necho .text.bare1:\necho '  /*0000*/  LDG.E R4, [R2] ;'\n"
        "echo '  /*0010*/  @P0 BRA `(.L_x_1) ;'\n");
  chmod(place.file("nvdisasm").c_str(), 0700);
  const Finished done = succeeded(lines({"launch=bare1"}));
  EXPECT_TRUE(contains_all(done.output, {"LDG.E R4, [R2]", "compile with nvcc -lineinfo"}));
  const LinesRecord record = this->record();
  EXPECT_EQ(at(record, "machine code of bare1", 1).samples(), 3u);
  EXPECT_EQ(events_of(at(record, "machine code of bare1", 2).counts, "warp_instructions"), 32u);
  EXPECT_EQ(record.sources.at("machine code of bare1").at(1), "@P0 BRA `(.L_x_1)");
  write(place.file("nvdisasm"), "#!/bin/sh\necho no such chip >&2; exit 3\n");
  EXPECT_TRUE(contains_all(succeeded(lines({"launch=bare1"}, {"--replace"})).output,
                           {"nvdisasm ended with 3: no such chip", "machine code of bare1:1"}));
}

TEST_F(Lines, SayWhoMayNotSampleAndKeepWhatIsLeft) {
  place.environment.push_back("FAKE_CUPTI_REFUSES=cuptiPCSamplingEnable");
  EXPECT_TRUE(contains_all(ended(lines({"launch=k1"}), 1).errors,
                           {"the program cannot be sampled: ", "cuptiPCSamplingEnable"}));
  const LinesRecord record = this->record();
  EXPECT_FALSE(record.has_samples());
  EXPECT_TRUE(record.has_counts());
  place.environment.back() = "FAKE_CUPTI_REFUSES=cuptiSassMetricsEnable";
  EXPECT_EQ(lines({"launch=k1"}, {"--replace"}).status, 1);
  EXPECT_TRUE(this->record().has_samples());
  EXPECT_FALSE(this->record().has_counts());
}

TEST_F(Lines, KeepTheProgramsEnd) {
  EXPECT_EQ(lines({"launch=k1", "exit=7"}).status, 7);
  EXPECT_EQ(sum_of(total_stalls(record().lines)), 4u);
  EXPECT_EQ(lines({"say=nothing"}, {"--replace"}).status, 1);
  refused(lines({"launch=k1"}, {"-o", "roofline-lines-fake_program"}), {"--replace"});
}

TEST_F(Lines, ReadNoSourceThatIsNone) {
  std::filesystem::remove(source());
  ASSERT_EQ(mkfifo(source().c_str(), 0600), 0);
  const Finished done = lines({"launch=k1"});
  EXPECT_EQ(done.status, 0) << "a pipe is not waited for";
  EXPECT_TRUE(contains(done.output, "one.cu:2"));
  EXPECT_TRUE(record().sources.empty());
  std::filesystem::remove(source());
  std::filesystem::create_symlink("/dev/zero", source());
  EXPECT_EQ(lines({"launch=k1"}, {"--replace"}).status, 0);
  EXPECT_TRUE(record().sources.empty());
}

TEST_F(Lines, AreShownAndReportedLater) {
  ASSERT_EQ(lines({"launch=k1"}).status, 0);
  const std::string folder = "roofline-lines-fake_program";
  EXPECT_TRUE(contains(tool({"show", folder}).output, "load = from[i];"));
  EXPECT_TRUE(contains(tool({"show", "--details", folder}).output, "first"));
  EXPECT_EQ(json::parse(tool({"show", "--json", folder}).output)["samples"], 4);
  EXPECT_EQ(tool({"show", "--csv", folder}).status, 2);
  std::filesystem::remove(place.folder() / folder / "lines.html");
  EXPECT_EQ(tool({"report", folder}).status, 0);
  const std::string page = gpp::test::file_text(place.folder() / folder / "lines.html");
  EXPECT_TRUE(contains(page, "to[i] = load;"));
  write(place.folder() / folder / "lines.json", "{\"roofline_lines\": 1}");
  refused(tool({"show", folder}), {"lines.json: "});
}

TEST(Sass, IsReadByFunctionAndOffset) {
  const Sass sass = parse_nvdisasm(
      "\t.section\t.text._Z1fv,\"ax\",@progbits\n_Z1fv:\n.text._Z1fv:\n"
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n.L_x_0:\n"
      "        /*0020*/              @!P0 BRA `(.L_x_0) ;\n"
      "/*zz*/ NO ;\n/*ffffffffffff*/ FAR ;\n/*0030*/ ;\n/*\n"
      "\t.section\t.nv.info\n/*0000*/ ELSEWHERE ;\n.text.g:\n/*0000*/ EXIT ;");
  ASSERT_EQ(sass.size(), 2u);
  EXPECT_EQ(sass.at("_Z1fv"), (Texts{"LDC R1, c[0x0][0x28]", "", "@!P0 BRA `(.L_x_0)"}));
  EXPECT_EQ(sass.at("g"), Texts{"EXIT"});
}

}  // namespace
}  // namespace roofline::test
