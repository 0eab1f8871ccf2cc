// What `roofline record` tells beside kernels: NVTX ranges, streams, launches one by one.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"
#include "tests/text.h"

namespace roofline {
namespace {

using nlohmann::json;
using test::contains;
using test::expect_exact;
using test::notes;
using test::Recorded;

constexpr const char* dram = "dram__bytes.sum";

/// The range of that path, "outer/inner"; null where there is none.
json range_in(const json& profile, const std::string& path) {
  const json ranges = profile.value("ranges", json::array());
  std::vector<std::string> paths;
  for (const json& range : ranges) {
    const int parent = range["parent"];
    const std::string domain = range["domain"], name = range["name"];
    paths.push_back((parent < 0 ? "" : paths.at(static_cast<std::size_t>(parent)) + "/") +
                    (domain.empty() ? name : domain + "@" + name));
    if (paths.back() == path) return range;
  }
  return nullptr;
}

/// `own`: launches of kernels of size 1 that its own launches are worth, and those with inner ones.
void expect_range(const json& profile, const std::string& path, int launches, int own, int all) {
  const json range = range_in(profile, path);
  ASSERT_FALSE(range.is_null()) << path << " is not in\n" << profile["ranges"].dump(1);
  EXPECT_EQ(range["launches"], launches) << path;
  EXPECT_EQ(range["counters"].value(dram, 0.0), own * 6400) << path;
  EXPECT_EQ(range["all"]["bytes"]["dram"], all * 6400) << path;
  EXPECT_NEAR(range["all"]["seconds"].get<double>(), 1e-6 * all, 1e-12) << path;
}

TEST(RecordRanges, CountWithAndWithoutTheRangesInThem) {
  const Recorded place;
  const Finished done =
      place.run({"push=outer", "launch=k1*2", "push=inner", "launch=k3", "pop", "launch=k1",
                 "push-in=lib:inner", "launch=k2*2", "pop-in=lib", "pop", "launch=k5"},
                {"--by", "range"});
  EXPECT_EQ(done.status, 0) << done.errors;
  const json profile = place.profile();
  expect_range(profile, "outer", 3, 3, 10);
  expect_range(profile, "outer/inner", 1, 3, 3);
  expect_range(profile, "outer/lib@inner", 2, 4, 4);
  expect_range(profile, "", 1, 5, 5);
  EXPECT_EQ(profile["ranges"].size(), 4u);
  expect_exact(profile, "k1", 3);
  for (const char* part : {"own time", "\u00a0\u00a0lib@inner", "(outside of ranges)", "66.7%"})
    EXPECT_TRUE(contains(done.output, part)) << part << " in\n" << done.output;
}

TEST(RecordRanges, AreOfTheThreadThatLaunchesOrOfTheProcess) {
  const Recorded place;
  EXPECT_EQ(place
                .run({"push=main", "launch=k1", "start=step", "threads=2", "push=worker",
                      "launch=k2", "pop"})
                .status,
            0);
  const json profile = place.profile();
  expect_range(profile, "main", 1, 1, 1);
  expect_range(profile, "step/worker", 2, 4, 4);
  expect_range(profile, "step", 0, 0, 4);
  EXPECT_EQ(profile["ranges"].size(), 3u) << "no thread is in main but its own";
}

TEST(RecordRanges, CallsOfAnOperatorAreOne) {
  const Recorded place;
  const test::Words words = {"push=aten::mm, seq = 12",
                             "launch=k1",
                             "pop",
                             "launch=k7",
                             "push=aten::mm, op_id = 9, sizes = [[2]]",
                             "launch=k1",
                             "pop",
                             "push=aten::mm, seq = 13, op_id = 3, input_op_ids = [1]",
                             "launch=k2",
                             "pop"};
  EXPECT_EQ(place.run(words).status, 0);
  expect_range(place.profile(), "aten::mm", 2, 3, 3);
  expect_range(place.profile(), "aten::mm, sizes = [[2]]", 1, 1, 1);
  EXPECT_EQ(place.run(words, {"--nvtx", "aten::mm", "-o", "mm"}).status, 0);
  EXPECT_EQ(place.profile("mm")["kernels"].size(), 2u);
}

TEST(RecordRanges, WhatWasNotCountedIsNotZero) {
  const Recorded place;
  EXPECT_EQ(place.run({"push=step", "launch=k1", "stream=9", "graph=k1,k2", "pop"}).status, 0);
  const json kept = place.profile();
  EXPECT_EQ(range_in(kept, "step")["launches"], 1) << "those of graphs belong to no range";
  ASSERT_EQ(kept["streams"].size(), 2u);
  const json& stream =
      kept["streams"][0]["launches"] == 2 ? kept["streams"][0] : kept["streams"][1];
  EXPECT_EQ(stream["launches"], 2);
  EXPECT_FALSE(stream["bytes"].contains("dram"));
  EXPECT_TRUE(contains(stream["missing"].dump(), "counted")) << stream.dump(1);
}

/// Every second run of the program launches other kernels than the first, in other threads.
std::vector<std::string> otherwise_when_counted(const std::string& timed,
                                                const std::string& counted) {
  const std::string program = FAKE_PROGRAM;
  return {"sh", "-c",
          "echo run >> starts; if [ $(wc -l < starts) = 1 ]; then exec " + program + " " + timed +
              "; else exec " + program + " " + counted + "; fi"};
}

/// What was broken to fit on a page.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char letter : text)
    if (letter != ' ' && letter != '\n')
      line += letter;
    else if (!line.ends_with(' '))
      line += ' ';
  return line;
}

TEST(RecordRanges, CountsOfFewerLaunchesAreScaledKernelByKernel) {
  const Recorded place;
  const Finished done = place.record(
      {"-o", "r", "--by", "range"},
      otherwise_when_counted("push=step launch=k1*4 launch=k2*2 pop",
                             "push=step launch=k1*3 launch=k2*2 threads=1 launch=k1 pop"));
  EXPECT_EQ(done.status, 0) << done.errors;
  const json profile = place.profile("r");
  expect_range(profile, "step", 6, 8, 8);
  EXPECT_TRUE(notes(range_in(profile, "step"), "k1 in it: 4 timed, 3 counted")) << profile.dump(1);
  EXPECT_TRUE(contains(done.output, "note (of 1): Launches of k1")) << done.output;
}

TEST(RecordRanges, OtherKernelsAsManyTimesAreTakenAndSaid) {
  const Recorded place;
  EXPECT_EQ(place
                .record({"-o", "r"}, otherwise_when_counted("push=step launch=a1*2 launch=k2 pop",
                                                            "push=step launch=b1*2 launch=k2 pop"))
                .status,
            0);
  const json step = range_in(place.profile("r"), "step");
  EXPECT_EQ(step["all"]["bytes"]["dram"], 4 * 6400);
  EXPECT_TRUE(notes(step, "in place of a kernel that was timed in it: b1")) << step.dump(1);
}

TEST(RecordRanges, WhatLacksCountsNamesTheKernelAndTheRange) {
  const Recorded place;
  const Finished done = place.record(
      {"-o", "r", "--by", "range"},
      otherwise_when_counted("push=outer launch=k5 push=inner launch=k1*2 launch=k2 pop pop",
                             "push=outer launch=k5 push=inner launch=k1 pop pop"));
  EXPECT_EQ(done.status, 0) << done.errors;
  const json profile = place.profile("r");
  EXPECT_FALSE(range_in(profile, "outer/inner")["all"]["bytes"].contains("dram"));
  EXPECT_TRUE(range_in(profile, "outer")["counters"].contains(dram)) << "its own are known";
  EXPECT_FALSE(range_in(profile, "outer")["all"]["bytes"].contains("dram"));
  for (const char* reason : {"(of 2): dram", ": launches of k2 in it: 1 timed, none counted",
                             "in inner: launches of k2 in it"})
    EXPECT_TRUE(contains(on_one_line(done.output), reason)) << reason << " in\n" << done.output;
}

TEST(RecordRanges, TooManyAreWithThoseAroundThem) {
  const Recorded place;
  test::Words words;
  for (int i = 0; i < 40; ++i) words.push_back("push=r" + std::to_string(i));
  words.insert(words.end(), {"launch=k1", "pop", "launch=k1"});
  EXPECT_EQ(place.run(words).status, 0);
  EXPECT_EQ(place.profile()["ranges"].size(), 32u);
  EXPECT_EQ(place.profile()["ranges"].back()["launches"], 2);
}

TEST(RecordRanges, StreamsAreToldApart) {
  const Recorded place;
  const Finished done = place.run({"stream=7", "launch=k1*3", "stream=13", "launch=k2", "push=r"},
                                  {"--by", "stream"});
  EXPECT_TRUE(contains(done.output, "stream 13")) << done.output;
  const json profile = place.profile();
  ASSERT_EQ(profile["streams"].size(), 2u);
  EXPECT_EQ(profile["streams"][0]["name"], "stream 7");
  EXPECT_EQ(profile["streams"][0]["bytes"]["dram"], 3 * 6400);
  EXPECT_FALSE(profile.contains("ranges")) << "nothing was launched in it";
}

TEST(RecordLaunches, AreKeptOneByOne) {
  const Recorded place;
  const Finished done = place.run(
      {"stream=7", "push=step", "launch=k1*2", "launch=k4|k3", "launch=k4"}, {"--by", "launch"});
  EXPECT_EQ(done.status, 0) << done.errors;
  for (const char* part : {"lower quartile", "step", "256"})
    EXPECT_TRUE(contains(done.output, part)) << part << " in\n" << done.output;
  const json profile = place.profile(),
             launches = test::kernel_in(profile, "k4")["single_launches"];
  ASSERT_EQ(launches.size(), 2u);
  std::map<std::string, json> values;
  for (std::size_t i = 0; i < profile["launch_counters"].size(); ++i)
    values[profile["launch_counters"][i]] = launches[1]["values"][i];
  EXPECT_EQ(values.at(dram), 4 * 6400);
  EXPECT_EQ(values.at("sm__sass_thread_inst_executed_op_dfma_pred_on.sum"), 4 * 1000);
  EXPECT_EQ(launches[1]["stream"], 7);
  EXPECT_NEAR(launches[0]["start"].get<double>(), 2e-6, 1e-12);
  EXPECT_NEAR(launches[0]["seconds"].get<double>(), 3e-6, 1e-12);
  const Finished csv =
      test::roofline({"show", place.file("roofline-fake_program"), "--csv", "--by", "launch"});
  EXPECT_TRUE(contains(csv.output, ",kernel,range,process,stream,start (s),grid_x")) << csv.output;
  EXPECT_TRUE(contains(csv.output, ",k4,step,1,7,")) << csv.output;
}

TEST(RecordLaunches, AreNotKeptUnasked) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k1"}).status, 0);
  EXPECT_FALSE(contains(place.profile().dump(), "single_launches"));
  for (const char* by : {"launch", "range", "stream"}) {
    const Finished shown =
        test::roofline({"show", place.file("roofline-fake_program"), "--by", by});
    EXPECT_EQ(shown.status, 2) << by;
  }
}

/// A profile that was tampered with.
TEST(RecordRanges, NonsenseIsRefused) {
  const gpp::test::TemporaryFolder temporary;
  const std::string file = temporary.path() / "profile.json";
  const json range = {{"domain", ""},
                      {"name", "r"},
                      {"parent", -1},
                      {"launches", 1},
                      {"seconds", 1},
                      {"counters", json::object()},
                      {"missing", json::array()},
                      {"notes", json::array()}};
  const json launch = {{"process", 1}, {"stream", 7},       {"range", 0},         {"start", 0},
                       {"seconds", 1}, {"grid", {1, 1, 1}}, {"block", {1, 1, 1}}, {"values", {3}}};
  json good = test::sample_profile({{"k"}});
  good["ranges"] = {range};
  good["launch_counters"] = {dram};
  good["kernels"][0]["single_launches"] = {launch};
  const auto status = [&](const json& profile) {
    std::ofstream(file) << profile;
    return test::roofline({"show", file, "--by", "launch"}).status;
  };
  EXPECT_EQ(status(good), 0);
  for (const char* change :
       {R"([{"op":"replace","path":"/ranges/0/parent","value":0}])",
        R"([{"op":"replace","path":"/ranges/0/parent","value":7}])",
        R"([{"op":"replace","path":"/kernels/0/single_launches/0/range","value":1}])",
        R"([{"op":"replace","path":"/kernels/0/single_launches/0/values","value":[1,2]}])",
        R"([{"op":"replace","path":"/kernels/0/single_launches/0/grid","value":[1,2]}])"})
    EXPECT_EQ(status(good.patch(json::parse(change))), 2) << change;
}

}  // namespace
}  // namespace roofline
