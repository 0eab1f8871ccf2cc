// Tests of the recorder on a GPU with kernels of known counts; skipped if counting is impossible.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "roofline/metrics.h"
#include "roofline/profile.h"
#include "roofline/recorder.h"
#include "roofline/verify/known_answers.h"
#include "roofline/verify/verify.h"
#include "tests/roofline/fake_recorder.h"
#include "tests/roofline/withheld.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

using namespace known;

class KnownAnswers : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = no_counts_here();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  /// The metrics of work; there must be no doubts.
  static Metrics metrics_of(const std::string& name, const std::function<void()>& run) {
    const Recording recording = cupti_recorder().record(needed_counters(), {name, run});
    EXPECT_TRUE(recording.defects.empty()) << recording.defects.front();
    for (const Missing& one : recording.missing)
      std::printf("%s: %s missing: %s\n", name.c_str(), one.name.c_str(), one.reason.c_str());
    return evaluate(recording.counters);
  }

  static void expect_exact(const Metrics& metrics, const std::string& name, double predicted) {
    const auto found = metrics.find(name);
    ASSERT_NE(found, metrics.end()) << name << " is missing";
    EXPECT_EQ(found->second, predicted) << name;
  }
};

/// Counted like the harness's own work: in this process, with all kernels in one range.
TEST_F(KnownAnswers, HoldForEachKernel) {
  Profile profile;
  for (const Kernel& kernel : kernels()) {
    if (const std::string why = cannot_run(kernel.name); !why.empty()) {
      std::printf("%s: %s\n", kernel.name.c_str(), why.c_str());
      continue;
    }
    std::vector<std::string> names = needed_counters();
    for (const Answer& answer : kernel.answers)
      for (const std::string& name : counters_of(*find_metric(answer.metric)))
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    Recording recording = cupti_recorder().record(names, {kernel.name, prepared(kernel.name)});
    EXPECT_TRUE(recording.defects.empty()) << recording.defects.front();
    KernelProfile counted;
    counted.name = kernel.name;
    counted.launches = 1;
    counted.counters = recording.counters;
    counted.missing = recording.missing;
    profile.kernels.push_back(counted);
  }
  derive(profile);
  for (const Judgement& row : known::verify(profile).rows) {
    if (!row.counted) continue;
    EXPECT_FALSE(row.off()) << row.kernel << ", " << row.metric << ": " << *row.counted
                            << " instead of " << row.expected;
  }
}

TEST_F(KnownAnswers, KernelsAreCountedApart) {
  const auto dfmas = prepared("known_dfma"), hfmas = prepared("known_hfma2");
  const Recording recording = cupti_recorder().record_kernels(
      {dfma, "sm__thread_inst_executed_pipe_fp64_pred_on.sum"}, {"apart", [&] {
                                                                   dfmas();
                                                                   hfmas();
                                                                   dfmas();
                                                                 }});
  ASSERT_EQ(recording.kernels.size(), 2u);
  EXPECT_EQ(recording.kernels[0].launches, 2);
  EXPECT_EQ(recording.kernels[0].counters.at(dfma), 2.0 * chain.instructions());
  EXPECT_NE(recording.kernels[0].name.find("dfma"), std::string::npos) << recording.kernels[0].name;
  EXPECT_EQ(recording.kernels[1].launches, 1);
  EXPECT_EQ(recording.kernels[1].counters.at(dfma), 0);
}

TEST_F(KnownAnswers, SamplesTellTheStallsThatTheHardwareCounts) {
  const auto dfmas = prepared("known_dfma");
  const Work work = {"stalls", [&] {
                       for (int i = 0; i < 20; ++i) dfmas();
                     }};
  const std::string sampled = "smsp__pcsamp_warps_issue_stalled_",
                    counted = "smsp__warps_issue_stalled_";
  std::vector<std::string> samples, counters;
  const std::vector<std::string> reasons = {"wait", "math_pipe_throttle", "not_selected",
                                            "selected", "long_scoreboard"};
  for (const std::string& reason : reasons) {
    samples.push_back(sampled + reason);
    counters.push_back(counted + reason + ".sum");
  }
  // Alternates twice, to show that the modes do not disturb each other.
  for (int turn = 0; turn < 2; ++turn) {
    const Counters told = cupti_recorder().sample(samples, work).counters;
    const Counters known = cupti_recorder().record(counters, work).counters;
    double all_samples = 0, all_counts = 0;
    for (const auto& [name, value] : told) all_samples += value;
    for (const auto& [name, value] : known) all_counts += value;
    ASSERT_GT(all_samples, 1000);
    for (const std::string& reason : reasons)
      EXPECT_NEAR(told.at(sampled + reason) / all_samples,
                  known.at(counted + reason + ".sum") / all_counts, 0.02)
          << reason;
  }
}

/// No work may be counted for single kernels or for a common range.
TEST_F(KnownAnswers, LoadsOfConstantsAreNoWork) {
  const Work work = {"constants", prepared("known_constants")};
  work.run();  // code loaded without a callback
  std::vector<std::string> software = needed_counters();
  std::erase_if(software, [](const std::string& name) { return !counted_by_software(name); });
  for (const Counters& counters : {cupti_recorder().record_kernels(software, work).counters,
                                   cupti_recorder().record(software, work).counters}) {
    const Metrics metrics = evaluate(counters);
    expect_exact(metrics, "fp64_flop", chain.blocks * chain.threads);
    expect_exact(metrics, "fp16_flop", 0);
  }
}

TEST_F(KnownAnswers, SeveralKernelsCountAsOneAndTheSameTwice) {
  const auto dfmas = prepared("known_dfma"), adds = prepared("known_shared");
  const auto run = [&] {
    dfmas();
    adds();
  };
  const Metrics first = metrics_of("first", run), second = metrics_of("second", run);
  expect_exact(first, "fp64_flop", 3 * chain.instructions());
  for (const char* name : {"fp64_flop", "instructions", "l1_bytes"})
    EXPECT_EQ(first.at(name), second.at(name)) << name;
}

}  // namespace
}  // namespace roofline::test
