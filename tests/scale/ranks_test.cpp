// Tests of gpp scale under mpirun, and of ranks that fail.
#include <signal.h>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "gpp/scale/communicator.h"
#include "harness/record/record.h"
#include "roofline/base/machine.h"
#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace gpp::scale {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class Ranks : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(GPP_MPIRUN).empty()) GTEST_SKIP() << "no mpirun: scripts/setup installs it";
    if (!mpi_missing().empty()) GTEST_SKIP() << mpi_missing();
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    // Containers may forbid ranks to read each other's memory.
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    // Each test has its own folder, because Open MPI keeps sockets there.
    if (const char* before = std::getenv("TMPDIR")) temporary_ = before;
    setenv("TMPDIR", folder_.path().c_str(), 1);
  }

  void TearDown() override {
    temporary_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", temporary_.c_str(), 1);
  }

  static Words mpirun(int ranks, const Words& arguments) {
    return joined({GPP_MPIRUN, "-n", std::to_string(ranks), "--oversubscribe", "--bind-to", "none",
                   GPP_PROGRAM, "scale"},
                  arguments);
  }

  Words small(const Words& more = {}) const {
    return joined({"--preset", "tiny", "--device", "host", "--repeat", "2", "-o", out()}, more);
  }

  std::string out() const { return (folder_ / "out").string(); }

  /// The record printed by a run.
  static StudyRecord study_of(const Words& words) {
    return parse_record(succeeded(roofline::run_program(words)).output, "output");
  }

  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }

  /// Expects one message of gpp, exit status 2, and no file.
  void expect_refused(const Words& words, const std::string& why) const {
    const roofline::Finished finished = roofline::run_program(words);
    EXPECT_NE(finished.status, 0);
    EXPECT_TRUE(test::contains(finished.errors, why));
    EXPECT_EQ(count(finished.errors, "gpp: "), 1) << finished.errors;
    EXPECT_FALSE(fs::exists(out())) << "something was written";
  }

  test::TemporaryFolder folder_;
  std::string temporary_;
};

class Numbers : public Ranks, public testing::WithParamInterface<int> {};

TEST_P(Numbers, OfRanksGiveTheWholeAndItsRecord) {
  const int ranks = GetParam();
  const StudyRecord printed = study_of(mpirun(ranks, small({"--json"})));
  const StudyRecord study = read_record(out());
  ASSERT_TRUE(study.scaling);
  EXPECT_EQ(study.scaling->ranks, ranks);
  EXPECT_EQ(study.scaling->exchange, "gather");
  EXPECT_TRUE(study.scaling->sample.empty()) << "all G' are checked";
  EXPECT_EQ(study.results[0].status, Status::passed);
  EXPECT_EQ(study.input.terms, 27LL * 27 * 20 * 2);
  EXPECT_EQ(printed.scaling->ranks, ranks);
  EXPECT_TRUE(fs::exists(folder_ / "out/report.html"));
}

INSTANTIATE_TEST_SUITE_P(, Numbers, testing::Values(1, 2, 3, 5));

TEST_F(Ranks, PassBlocksInEveryWayAndPoolsShareTheStates) {
  for (const char* exchange : {"ring", "blocking"}) {
    const StudyRecord study =
        study_of(mpirun(3, small({"--exchange", exchange, "--replace", "--json"})));
    EXPECT_EQ(study.scaling->exchange, exchange);
    EXPECT_EQ(study.scaling->steps.size(), 3U);
  }
  const StudyRecord study =
      study_of(mpirun(3, small({"--states", "5", "--pools", "2", "--replace", "--json"})));
  EXPECT_EQ(study.scaling->pools, 2);
  EXPECT_EQ(study.scaling->sums["asx"].size(), 5U);
  EXPECT_EQ(study.input.terms, 5LL * 27 * 27 * 20 * 2);
}

TEST_F(Ranks, AreStartedOverTheirNumber) {
  const Words asked = joined({GPP_PROGRAM, "scale"}, small({"--strong", "1,2,3", "--weak", "1,2"}));
  EXPECT_TRUE(test::contains_all(succeeded(roofline::run_program(asked)).output,
                                 {"Strong scaling", "Weak scaling"}));
  const StudyRecord study = read_record(out());
  ASSERT_EQ(study.scaling->strong.size(), 3U);
  ASSERT_EQ(study.scaling->weak.size(), 2U);
  EXPECT_EQ(study.scaling->strong[2].ranks, 3);
  EXPECT_EQ(study.scaling->weak[1].states, 2);
  EXPECT_EQ(study.scaling->by_rank.back().cores, std::max(1, roofline::available_cores() / 3))
      << "ranks share the cores";
}

// ---- Faults

TEST_F(Ranks, NotStartedByALauncherAreTold) {
  EXPECT_TRUE(test::contains(
      ended(roofline::run_program(joined({GPP_PROGRAM, "scale"}, small())), 2).errors,
      "mpirun -n 2"));
}

TEST_F(Ranks, ThatCannotShareTheWorkAreRefusedOnce) {
  expect_refused(mpirun(21, small()), "21 ranks share preset tiny");
  expect_refused(mpirun(2, small({"--pools", "3", "--states", "3"})),
                 "2 of 2 ranks make 3 pools for 3 states");
  expect_refused(mpirun(2, small({"--pools", "2"})), "make 2 pools for 1 states");
  expect_refused(mpirun(3, small({"--variant", "v99"})), "v99");
  expect_refused(mpirun(2, {"--preset", "nonsense", "-o", out()}), "nonsense");
  const Words second = {":", "-n", "1", GPP_PROGRAM, "scale", "--preset", "small"};
  expect_refused(joined(mpirun(1, small()), second), "ranks differ in their command line");
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  expect_refused(mpirun(2, {"--preset", "tiny", "--model", "cuda", "--device", "gpu", "-o", out()}),
                 "v12");
  unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_F(Ranks, AFolderThatIsTakenEndsThemBeforeTheyWork) {
  fs::create_directories(folder_ / "taken");
  std::ofstream(folder_ / "taken" / "study.json") << "{}";
  const roofline::Finished finished = roofline::run_program(
      mpirun(2, {"--preset", "tiny", "--device", "host", "-o", (folder_ / "taken").string()}));
  EXPECT_NE(finished.status, 0);
  EXPECT_EQ(count(finished.errors, "gpp: "), 1) << finished.errors;
  EXPECT_EQ(fs::file_size(folder_ / "taken" / "study.json"), 2U);
}

/// The living processes of this program that write to a folder.
std::vector<pid_t> ranks_of(const std::string& folder) {
  std::vector<pid_t> ranks;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string words = test::file_text(entry.path() / "cmdline");
    if (words.starts_with(GPP_PROGRAM) && words.find(folder) != std::string::npos)
      ranks.push_back(std::stoi(entry.path().filename()));
  }
  return ranks;
}

/// One of two ranks is killed while working: the other must end, without incomplete files.
TEST_F(Ranks, EndWithOneThatDies) {
  const Words work = mpirun(2, {"--preset", "medium", "--device", "host", "--repeat", "1000",
                                "--time-limit", "1000", "-o", out()});
  auto launcher = std::async(std::launch::async, [&work] {
    return roofline::run_program(joined({"timeout", "-k", "5", "120"}, work));
  });
  std::vector<pid_t> ranks;
  for (int i = 0; i < 600 && ranks.size() < 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ranks = ranks_of(out());
  }
  ASSERT_EQ(ranks.size(), 2U);
  kill(ranks[1], SIGKILL);
  const int status = launcher.get().status;
  EXPECT_NE(status, 0);
  EXPECT_NE(status, 124) << "the other rank did not end in time";
  EXPECT_TRUE(ranks_of(out()).empty());
  EXPECT_FALSE(fs::exists(folder_ / "out" / "study.json"));
}

// ---- The plan needs no MPI

TEST(PlanCommand, TakesTheSpeedGivenAndRefusesWhatIsNone) {
  const auto plan = [](const Words& words) {
    return roofline::run_program(joined({GPP_PROGRAM, "scale", "--plan"}, words));
  };
  const auto json =
      nlohmann::json::parse(succeeded(plan({"Si-2742", "--gpus", "27648", "--pools", "256",
                                            "--states", "240", "--speed", "1e12", "--json"}))
                                .output);
  EXPECT_EQ(json["systems"]["Si-2742"]["pools"], 256);
  EXPECT_EQ(json["terms_per_s"], 1e12);
  for (const Words& bad :
       {Words{"Si-1"}, Words{"Si-214", "--gpus", "0"}, Words{"Si-214", "--speed", "nan"},
        Words{"Si-214", "--pools", "2"}, Words{"Si-214", "--record", "/nowhere"}})
    EXPECT_EQ(plan(bad).status, 2) << bad.back();
}

}  // namespace
}  // namespace gpp::scale
