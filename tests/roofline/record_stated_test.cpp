// What `roofline record` keeps without counting: forms of launches, GPUs and ranks apart, work that
// formulas and the program state. On the fakes of record_test.cpp.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"
#include "tests/text.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::contains;
using test::expect_exact;
using test::kernel_in;
using test::notes;
using test::Recorded;
using test::Words;

TEST(RecordStated, TellsHowKernelsAreLaunched) {
  const Recorded place;
  const Finished done = place.run({"launch=k|k3*2", "launch=k|k5"}, {"--details"});
  EXPECT_EQ(done.status, 0) << done.errors;
  const json kernel = kernel_in(place.profile(), "k");
  ASSERT_EQ(kernel["forms"].size(), 2u);
  EXPECT_EQ(kernel["forms"][0]["form"]["grid"], json({3, 1, 1})) << "most time first";
  EXPECT_EQ(kernel["forms"][0]["launches"], 2);
  EXPECT_EQ(kernel["forms"][0]["form"]["registers"], 64);
  EXPECT_EQ(kernel["occupancy"]["share"], 0.5) << kernel["occupancy"];
  for (const char* part :
       {"How kernels are launched", "256x1x1", "50%", "registers", "other forms"})
    EXPECT_TRUE(contains(done.output, part)) << part << " in\n" << done.output;
}

TEST(RecordStated, KeepsGpusApart) {
  Recorded place;
  place.environment = {"FAKE_CUDA_GPUS=2"};
  const Words words = {"launch=k3*2", "context=1", "launch=k3*5", "launch=only3"};
  const Finished done = place.run(words);
  EXPECT_EQ(done.status, 0) << done.errors;
  const json profile = place.profile();
  ASSERT_EQ(profile["gpus"].size(), 2u);
  ASSERT_EQ(profile["kernels"].size(), 3u);
  const json& first = profile["kernels"][0];
  EXPECT_EQ(first["gpu"], 1);
  EXPECT_EQ(first["launches"], 5);
  EXPECT_EQ(first["counters"]["dram__bytes.sum"], 5 * 3 * 6400);
  EXPECT_EQ(kernel_in(profile, "only3")["gpu"], 1);
  EXPECT_TRUE(contains(done.output, "k3 on GPU 0")) << done.output;
}

TEST(RecordStated, StatesWorkBesideTheCounts) {
  const Recorded place;
  std::ofstream(place.file("work.txt")) << "kernel k\n  fp64 4220 * gx\n  dram 6400 * gx\n"
                                           "kernel none\n  fp64 1\n";
  const Finished done = place.run({"launch=k3*5"}, {"--work", "work.txt", "--details"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.errors, "work.txt: no kernel fits 'none'")) << done.errors;
  const json kernel = kernel_in(place.profile(), "k3");
  EXPECT_EQ(kernel["stated"][0]["amounts"]["fp64"], 5 * 3 * 4220);
  EXPECT_EQ(kernel["work"]["fp64"], 5 * 3 * 2110) << "what was counted stays what it is";
  EXPECT_TRUE(kernel["formula_rooflines"]["fp64"].is_object());
  for (const char* part :
       {"Work that was stated", "by formula", "+100%", "+0%", "by formula, not counted"})
    EXPECT_TRUE(contains(done.output, part)) << part << " in\n" << done.output;
  const std::string page =
      gpp::test::file_text(place.folder() / "roofline-fake_program/report.html");
  EXPECT_TRUE(contains(page, "by formula"));
}

TEST(RecordStated, TakesWorkThatTheProgramMarks) {
  const Recorded place;
  const Words words = {"mark=roofline:fp64:1000",
                       "mark=roofline:dram:500",
                       "launch=k*2",
                       "pop",
                       "pop",
                       "mark=roofline:fp64:7",
                       "launch=a",
                       "launch=b",
                       "pop",
                       "sync"};
  EXPECT_EQ(place.run(words, {"-o", "without"}).status, 0);
  EXPECT_FALSE(kernel_in(place.profile("without"), "k").contains("stated"));
  const Finished done = place.run(words, {"--marked", "-o", "with"});
  EXPECT_EQ(done.status, 0) << done.errors;
  const json kernel = kernel_in(place.profile("with"), "k");
  EXPECT_EQ(kernel["stated"][0]["by"], "program");
  EXPECT_EQ(kernel["stated"][0]["amounts"], json({{"dram", 500}, {"fp64", 1000}}));
  EXPECT_FALSE(kernel_in(place.profile("with"), "a").contains("stated"));
  EXPECT_TRUE(notes(place.profile("with"), "whose work it is cannot be told"));
}

TEST(RecordStated, KeepsTheRanksOfALauncherApart) {
  const Recorded place;
  const auto rank = [](const char* number, const char* kernel) {
    return std::string("PMI_SIZE=2 PMI_RANK=") + number + " " + FAKE_PROGRAM + " " + kernel;
  };
  const Words launcher = {
      "sh", "-c", rank("0", "launch=k1*2 launch=k2") + " & " + rank("1", "launch=k1*3") + "; wait"};
  const Finished done = place.record({"-o", "ranks"}, launcher);
  EXPECT_EQ(done.status, 0) << done.errors;
  expect_exact(place.profile("ranks/rank-0"), "k1", 2);
  expect_exact(place.profile("ranks/rank-0"), "k2", 1);
  expect_exact(place.profile("ranks/rank-1"), "k1", 3);
  EXPECT_EQ(place.profile("ranks/rank-1")["kernels"].size(), 1u);
  EXPECT_TRUE(contains(done.output, "imbalance")) << done.output;
  EXPECT_FALSE(fs::exists(place.folder() / "ranks/profile.json"));
  EXPECT_EQ(place.record({"-o", "ranks"}, launcher).status, 2) << "it is there already";
  const Words alone = {"sh", "-c", rank("1", "launch=k1")};
  EXPECT_EQ(place.record({"-o", "ranks", "--replace"}, alone).status, 0);
  EXPECT_FALSE(fs::exists(place.folder() / "ranks/rank-0")) << "a rank of the earlier record";
}

TEST(RecordStated, FormulasNeedNoRight) {
  Recorded place;
  place.environment = {"FAKE_CUPTI_REFUSES=cuptiProfilerInitialize"};
  std::ofstream(place.file("work.txt")) << "kernel k\n  fp64 200 * gx\n  dram 100 * gx\n";
  const Finished done = place.run({"launch=k3*3"}, {"--work", "work.txt", "-o", "record"});
  EXPECT_EQ(done.status, 0) << "there is something to show: " << done.errors;
  EXPECT_TRUE(contains(done.output, "DRAM, by formula")) << done.output;
  EXPECT_TRUE(fs::exists(place.folder() / "record/roofline-fp64.svg"));
  const json kernel = kernel_in(place.profile("record"), "k3");
  EXPECT_TRUE(kernel["rooflines"].empty());
  EXPECT_EQ(kernel["forms"][0]["form"]["registers"], 64);
  std::ofstream(place.file("wrong.txt")) << "kernel k\n  fp64 200 * gx /\n";
  const Finished wrong = place.run({"note=runs"}, {"--work", "wrong.txt", "-o", "wrong"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.errors, "wrong.txt:2:")) << wrong.errors;
  EXPECT_TRUE(place.lines("runs").empty()) << "a mistake must cost nothing";
}

}  // namespace
}  // namespace roofline
