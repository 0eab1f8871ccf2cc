// Tests of `roofline record` on a GPU with a program of exactly known work; skipped if counting is
// impossible.
#include <csignal>
#include <fstream>

#include "roofline/recorder.h"
#include "tests/roofline/tool.h"
#include "tests/roofline/withheld.h"
#include "tests/temporary_folder.h"

namespace roofline::test {
namespace {

// Counts of one launch in record_sample.cu.
constexpr double fma_work = 6758400;    // FP64
constexpr double add_work = 33792;      // FP32, or FP64
constexpr double half_work = 13516800;  // FP16

class RecordOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = no_counts_here();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  /// Records the sample into profile_.
  void record(const std::vector<std::string>& sample, int status = 0,
              const std::vector<std::string>& options = {},
              const std::string& program = RECORD_SAMPLE) {
    Texts arguments = {
        "record", "--roofs", "v100", "--json", "--replace", "-o", (folder_ / "record").string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", program});
    arguments.insert(arguments.end(), sample.begin(), sample.end());
    done_ = roofline(arguments);
    EXPECT_EQ(done_.status, status) << done_.errors;
    profile_ = json::parse(done_.output, nullptr, false);
    ASSERT_TRUE(profile_.is_object()) << done_.output << done_.errors;
  }

  json kernel(const std::string& name) const {
    for (const json& one : profile_["kernels"])
      if (contains(one["name"].get<std::string>(), name)) return one;
    return nullptr;
  }

  void expect_work(const std::string& name, const std::string& precision, int launches,
                   double work) const {
    const json found = kernel(name);
    ASSERT_FALSE(found.is_null()) << name << " is not in\n" << profile_.dump(1);
    EXPECT_EQ(found["launches"], launches) << name;
    EXPECT_EQ(found["work"].value(precision, -1.0), launches * work) << name;
    EXPECT_GT(found["seconds"].get<double>(), 0) << name;
    EXPECT_GT(found["bytes"].value("l1", 0.0), 0) << name;
  }
  void expect_fma(int launches) const { expect_work("fma_kernel", "fp64", launches, fma_work); }

  const TemporaryFolder folder_;
  Finished done_;
  json profile_;
};

/// l1tex__t_bytes leaves out the copy engine's work.
TEST_F(RecordOnGpu, CountsBulkCopies) {
  record({"copies", "3"});
  if (profile_["gpus"][0]["compute_capability"] >= 90) {
    EXPECT_GE(kernel("bulk_kernel")["bytes"]["l1"], 3 * 1024 * 32768.0);
  }
}

/// CUPTI does not report a kernel that a kernel launched.
TEST_F(RecordOnGpu, NamesKernelsThatLaunchKernels) {
  record({}, 0, {}, LAUNCHING_SAMPLE);
  EXPECT_TRUE(contains(profile_["notes"].dump(), "parent_kernel")) << profile_["notes"].dump(1);
}

TEST_F(RecordOnGpu, LoadsOfConstantsAreNoWork) {
  record({"halves", "3"});
  expect_work("constants_kernel", "fp64", 3, add_work);
  expect_work("constants_kernel", "fp16", 3, 0);
  // With arithmetic, loads of constants are included.
  const double half = kernel("half_kernel")["work"].value("fp16", -1.0);
  EXPECT_GE(half, 3 * half_work);
  EXPECT_LE(half, 1.02 * 3 * half_work);
}

TEST_F(RecordOnGpu, TellsLaunchesAndWhatFormulasState) {
  std::ofstream(folder_ / "work.txt") << "kernel fma_kernel\n  fp64 2 * 100 * threads\n";
  record({"plain", "5"}, 0, {"--work", (folder_ / "work.txt").string()});
  const json fma = kernel("fma_kernel");
  ASSERT_EQ(fma["forms"].size(), 1u);
  EXPECT_EQ(fma["forms"][0]["launches"], 5);
  EXPECT_EQ(fma["forms"][0]["form"]["grid"], json({132, 1, 1}));
  EXPECT_EQ(fma["forms"][0]["form"]["block"], json({256, 1, 1}));
  EXPECT_GT(fma["forms"][0]["form"]["registers"], 0);
  EXPECT_EQ(fma["stated"]["amounts"]["fp64"], 5 * fma_work);
  expect_fma(5);
}

/// The program may do anything between launches, and any launches may be selected.
TEST_F(RecordOnGpu, CountsTheLaunchesOfAnyProgramThatWereChosen) {
  struct Case {
    Texts sample, options;
    int status, fma, add;  // launches; 0: not in the profile, -1: either
  };
  for (const auto& [sample, options, status, fma, add] :
       {Case{{"plain", "200"}, {}, 0, 200, 1}, Case{{"streams", "3"}, {}, 0, 4 * 3, 0},
        Case{{"contexts", "3"}, {}, 0, 2 * 3, 2},
        Case{{"marks", "4"}, {"--nvtx", "timed part"}, 0, 4, 0},
        Case{{"marks", "4"}, {"--profile-from-start", "off"}, 0, 4, 1},
        Case{{"plain", "6"}, {"--kernel", "fma", "--launch", "2:4"}, 0, 3, 0},
        Case{{"exit", "3"}, {}, 7, 3, -1}, Case{{"crash", "3"}, {}, 128 + SIGSEGV, 3, -1},
        Case{{"child", "3"}, {}, 0, 3, 1}}) {
    SCOPED_TRACE(sample.front());
    record(sample, status, options);
    expect_fma(fma);
    EXPECT_EQ(kernel("fma_kernel")["work"]["fp32"], 0);
    if (add > 0) expect_work("add_kernel", "fp32", add, add_work);
    if (add == 0) {
      EXPECT_TRUE(kernel("add_kernel").is_null());
    }
  }
}

TEST_F(RecordOnGpu, SeveralGpusOfAProcess) {
  record({"gpus", "2"});
  int launches = 0;
  for (const json& one : profile_["kernels"]) {
    launches += 2;
    EXPECT_EQ(one["work"]["fp64"], one["launches"].get<double>() * fma_work) << one.dump(1);
  }
  EXPECT_EQ(profile_["kernels"].size(), profile_["gpus"].size());
  EXPECT_EQ(profile_["kernels"][0]["launches"], launches) << "the last GPU, which runs most";
}

TEST_F(RecordOnGpu, KernelsOfGraphsAreTimedAndNotCounted) {
  record({"plain-and-graphs", "3"});
  expect_fma(3);
  EXPECT_TRUE(contains(kernel("fma_kernel")["notes"].dump(), "9 timed, 3 counted"));
  EXPECT_TRUE(contains(profile_["notes"].dump(), "CUDA graphs were timed, and not counted"));
}

/// Every warp executes the loop's instructions equally often, with any unrolling.
TEST_F(RecordOnGpu, LinesHaveWholeMultiples) {
  constexpr int launches = 40, warps = 132 * 256 / 32, multiplications = 100;
  const Finished done = succeeded(roofline({"lines", "--json", "--period", "10", "--",
                                            RECORD_SAMPLE, "plain", std::to_string(launches)}));
  const json lines = json::parse(done.output, nullptr, false);
  ASSERT_TRUE(lines.is_object()) << done.output << done.errors;
  EXPECT_GT(lines["samples"], 0);
  std::int64_t count = 0;
  for (const json& line : lines["lines"]) {
    const std::string file = line["file"];
    if (!file.ends_with("record_sample.cu") || line["line"] == 0) continue;
    const std::string text = lines["sources"][file][line["line"].get<std::size_t>() - 1];
    if (contains(text, "value = fma(value")) count += line["warp_instructions"].get<std::int64_t>();
  }
  EXPECT_EQ(count % (launches * warps), 0) << count;
  EXPECT_GE(count / (launches * warps), multiplications);
  EXPECT_LT(count / (launches * warps), 2 * multiplications) << "counted twice";
}

TEST_F(RecordOnGpu, RangesHaveTheirKernels) {
  record({"marks", "4"}, 0, {"--by", "range"});
  ASSERT_EQ(profile_["ranges"].size(), 2u) << profile_["ranges"].dump(1);
  const json& range = profile_["ranges"][0];
  EXPECT_EQ(range["name"], "timed part");
  EXPECT_EQ(range["launches"], 4);
  EXPECT_EQ(range["all"]["work"].value("fp64", -1.0), 4 * fma_work);
  ASSERT_EQ(range["kernels"].size(), 1u);
  EXPECT_EQ(range["kernels"][0]["launches"], 4);
  EXPECT_DOUBLE_EQ(range["kernels"][0]["seconds"].get<double>(), range["seconds"].get<double>());
}

}  // namespace
}  // namespace roofline::test
