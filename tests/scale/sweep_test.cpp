// Scaling over ranks: launchers, the sums of several runs, the record.
#include "gpp/scale/sweep.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"

namespace gpp::scale {
namespace {

TEST(Launcher, IsWordsAndNoShell) {
  EXPECT_EQ(launcher_words("mpirun -n {ranks} --host a:{ranks}", 4),
            (std::vector<std::string>{"mpirun", "-n", "4", "--host", "a:4"}));
  EXPECT_EQ(launcher_words("srun -n{ranks} $(rm x)", 2)[2], "$(rm");
  EXPECT_THROW(launcher_words("mpirun -n 2", 2), roofline::InputError);
  EXPECT_THROW(launcher_words("", 2), roofline::InputError);
}

StudyRecord run_of(int ranks, double asx) {
  StudyRecord run;
  run.scaling.emplace();
  run.scaling->ranks = ranks;
  run.scaling->sums = Json({{"asx", {{{asx, 1.0}}}}, {"ach", {{{2.0, 1e-9}}}}});
  return run;
}

TEST(Sums, OfAllNumbersOfRanksAreTheSame) {
  Result result;
  result.status = Status::passed;
  result.check.tolerance = 1e-10;
  compare_sums({run_of(1, 3.0), run_of(2, 3.0 * (1 + 1e-12))}, result);
  EXPECT_EQ(result.status, Status::passed) << result.reason;
  compare_sums({run_of(1, 3.0), run_of(2, 3.0 * (1 + 1e-9))}, result);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_NE(result.reason.find("asx of 2 ranks"), std::string::npos) << result.reason;
}

ScalingRecord sample() {
  ScalingRecord scaling;
  scaling.ranks = 2;
  scaling.exchange = "ring";
  scaling.transport = "MPI";
  scaling.sample = {3, 17};
  scaling.sums = Json({{"asx", {{{1.0, 2.0}}}}, {"ach", {{{3.0, 4.0}}}}});
  scaling.steps = {{1.0, 0.5, 0.1, 0.8}, {1.0, 0, 0, 1}};
  scaling.by_rank = {{"a", "cpu", 1, 14, 10, 100, 120, 0.9}, {"b", "cpu", 1, 13, 10, 100, 90, 0.8}};
  scaling.strong = {{1, 1, {4.0, 4.2, 4.1}, 0, "none: one rank"},
                    {2, 1, {2.0, 2.1, 2.2}, 0.02, "MPI"}};
  scaling.weak = {{1, 1, {4.0}, 0, "MPI"}, {2, 2, {4.4}, 0.01, "MPI"}};
  return scaling;
}

nlohmann::json as_read(const Json& json) { return nlohmann::json::parse(json.dump()); }

TEST(ScalingRecord, ComesBackAsItWas) {
  const Json written = to_json(sample());
  EXPECT_NEAR(written["strong"][1]["speedup"].get<double>(), 4.1 / 2.1, 1e-12);
  EXPECT_NEAR(written["strong"][1]["efficiency"].get<double>(), 4.1 / 4.2, 1e-12);
  EXPECT_EQ(written["strong"][1]["ranks"], 2);
  EXPECT_NEAR(written["strong"][1]["seconds"].get<double>(), 2.1, 1e-12);
  EXPECT_NEAR(written["weak"][1]["efficiency"].get<double>(), 4.0 / 4.4, 1e-12);
  const nlohmann::json json = as_read(written);
  EXPECT_EQ(to_json(roofline::read_facts<ScalingRecord>({json, "scaling", "test"})).dump(),
            written.dump());
}

/// Numbers that contradict each other are refused, with their place.
TEST(ScalingRecord, InventedNumbersAreRefused) {
  const auto expect_refused = [](const char* pointer, const nlohmann::json& value) {
    nlohmann::json json = as_read(to_json(sample()));
    json[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_THROW(roofline::read_facts<ScalingRecord>({json, "scaling", "test"}),
                 roofline::InputError)
        << pointer;
  };
  expect_refused("/strong/1/ranks", 1);
  expect_refused("/strong/1/samples", nlohmann::json::array());
  expect_refused("/weak/1/wait", 1.1);
  expect_refused("/ranks", 3);
  expect_refused("/pools", 0);
  expect_refused("/by_rank/0/busy", 1.5);
  expect_refused("/steps/0/overlap", -1);
  expect_refused("/sample/0", 0);
  expect_refused("/exchange", "<script>");
  expect_refused("/sums/asx/0/0", "text");
}

}  // namespace
}  // namespace gpp::scale
