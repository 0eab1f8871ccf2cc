// gpp scale under mpirun, and what becomes of ranks that cannot go on.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "gpp/scale/communicator.h"
#include "gpp/scale/late_ranks.h"
#include "harness/record/record.h"
#include "roofline/base/machine.h"
#include "roofline/base/process.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

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
    // Each test's own: Open MPI keeps its sockets there.
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

  static roofline::Finished run(const Words& words) {
    roofline::Finished finished = roofline::run_program(words);
    EXPECT_EQ(finished.status, 0) << finished.errors << finished.output;
    return finished;
  }

  /// The record that a run prints.
  static StudyRecord study_of(const Words& words) {
    return parse_record(run(words).output, "output");
  }

  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }

  /// One message of gpp, exit status 2, nothing written.
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
  EXPECT_EQ(study.scaling->steps.size(), static_cast<std::size_t>(ranks));
  EXPECT_TRUE(study.scaling->sample.empty()) << "all G' are checked";
  EXPECT_EQ(study.results[0].status, Status::passed);
  EXPECT_EQ(study.input.terms, 27LL * 27 * 20 * 2);
  EXPECT_EQ(printed.scaling->ranks, ranks);
  EXPECT_TRUE(fs::exists(folder_ / "out/report.html"));
}

INSTANTIATE_TEST_SUITE_P(, Numbers, testing::Values(1, 2, 3, 5));

TEST_F(Ranks, PassBlocksInEveryWay) {
  for (const char* exchange : {"blocking", "collective"})
    EXPECT_EQ(study_of(mpirun(3, small({"--exchange", exchange, "--replace", "--json"})))
                  .scaling->exchange,
              exchange);
}

TEST_F(Ranks, PoolsShareTheStates) {
  const StudyRecord study = study_of(mpirun(3, small({"--states", "5", "--pools", "2", "--json"})));
  EXPECT_EQ(study.scaling->pools, 2);
  EXPECT_EQ(study.scaling->sums["asx"].size(), 5U);
  EXPECT_EQ(study.input.terms, 5LL * 27 * 27 * 20 * 2);
}

TEST_F(Ranks, AreStartedOverTheirNumber) {
  const std::string text =
      run(joined({GPP_PROGRAM, "scale"}, small({"--strong", "1,2,3", "--weak", "1,2"}))).output;
  EXPECT_TRUE(test::contains_all(text, {"Strong scaling", "Weak scaling"}));
  const StudyRecord study = read_record(out());
  ASSERT_EQ(study.scaling->strong.size(), 3U);
  ASSERT_EQ(study.scaling->weak.size(), 2U);
  EXPECT_EQ(study.scaling->strong[2].ranks, 3);
  EXPECT_EQ(study.scaling->weak[1].states, 2);
  EXPECT_TRUE(fs::exists(folder_ / "out/strong.csv"));
}

// ---- Threads

class Threads : public Ranks {
 protected:
  /// Those of each rank's target regions, as the record has them. `environment`: "NAME=value", or
  /// "-u", "NAME".
  std::vector<int> of(const Words& environment, int ranks, const Words& more = {}) const {
    const StudyRecord study =
        study_of(joined(joined({"/usr/bin/env"}, environment),
                        mpirun(ranks, small(joined({"--json", "--replace"}, more)))));
    std::vector<int> threads;
    for (const ScalingRank& rank : study.scaling->by_rank) threads.push_back(rank.cores);
    EXPECT_EQ(study.results.front().threads, threads.front());
    return threads;
  }
};

/// OpenMP was to start others, as the environment says or because there are more cores.
TEST_F(Threads, AreAsManyAsCores) {
  EXPECT_EQ(of({"OMP_NUM_THREADS=3"}, 1, {"--cores", "1"}), (std::vector<int>{1}));
  EXPECT_EQ(of({"-u", "OMP_NUM_THREADS"}, 1, {"--cores", "1"}), (std::vector<int>{1}));
}

TEST_F(Threads, ShareTheCoresOfAHost) {
  const int cores = roofline::available_cores();
  const int shared = std::max(1, cores / 2);
  EXPECT_EQ(of({"-u", "OMP_NUM_THREADS"}, 2), (std::vector<int>{shared, shared}));
  EXPECT_EQ(of({"OMP_NUM_THREADS=1"}, 1), (std::vector<int>{1})) << "who asks for fewer gets fewer";
  EXPECT_EQ(of({"OMP_NUM_THREADS=4000"}, 1), (std::vector<int>{cores}));
}

TEST_F(Ranks, WithMoreThreadsThanCoresAreRefused) {
  const int cores = roofline::available_cores();
  if (cores < 2) GTEST_SKIP() << "one core is not shared";
  Words command = mpirun(2, small());
  const auto program = std::find(command.begin(), command.end(), GPP_PROGRAM);
  const Words untold = {"env", "-u", "OMPI_COMM_WORLD_LOCAL_SIZE", "-u", "OMP_NUM_THREADS"};
  command.insert(program, untold.begin(), untold.end());
  expect_refused(command, "Say --cores");
}

TEST_F(Ranks, OfFewerThreadsThanCoresAreRefused) {
  if (roofline::available_cores() < 2) GTEST_SKIP() << "one core has one thread";
  expect_refused(joined({"/usr/bin/env", "OMP_THREAD_LIMIT=1"}, mpirun(1, small({"--cores", "2"}))),
                 "OMP_THREAD_LIMIT");
}

// ---- Faults

TEST_F(Ranks, NotStartedByALauncherAreTold) {
  const roofline::Finished finished =
      roofline::run_program(joined({GPP_PROGRAM, "scale"}, small()));
  EXPECT_EQ(finished.status, 2);
  EXPECT_TRUE(test::contains(finished.errors, "mpirun -n 2"));
}

TEST_F(Ranks, MoreThanBandsAreRefused) {
  expect_refused(mpirun(21, small()), "21 ranks share preset tiny");
}

TEST_F(Ranks, MorePoolsThanRanksOrStatesAreRefused) {
  expect_refused(mpirun(2, small({"--pools", "3", "--states", "3"})),
                 "more pools than the 2 ranks");
  expect_refused(mpirun(2, small({"--pools", "2"})), "more pools than the 1 states");
}

TEST_F(Ranks, WithoutAGpuAreTold) {
  expect_refused(mpirun(2, {"--preset", "tiny", "--model", "cuda", "--device", "gpu", "-o", out()}),
                 "v12");
}

TEST_F(Ranks, UnknownNamesAreRefusedOnce) {
  expect_refused(mpirun(3, small({"--variant", "v99"})), "v99");
  expect_refused(mpirun(2, {"--preset", "nonsense", "-o", out()}), "nonsense");
}

TEST_F(Ranks, OfDifferentOptionsAreFound) {
  const Words second = {":", "-n", "1", GPP_PROGRAM, "scale", "--preset", "small"};
  expect_refused(joined(mpirun(1, small()), second), "rank 1 was started with other options");
}

TEST_F(Ranks, OfDifferentFoldersAreFound) {
  Words second = small();
  second.back() += "-2";
  expect_refused(joined(joined(mpirun(1, small()), {":", "-n", "1", GPP_PROGRAM, "scale"}), second),
                 "rank 1 was started with other options than rank 0, -o " + out() +
                     "-2 instead of -o " + out());
}

TEST_F(Ranks, OfDifferentBuildsAreFound) {
  const fs::path other = folder_ / "gpp";
  fs::copy_file(GPP_PROGRAM, other);
  std::ofstream(other, std::ios::app | std::ios::binary) << '\0';
  const Words second = joined({":", "-n", "1", other.string(), "scale"}, small());
  expect_refused(joined(mpirun(1, small()), second), "another build");
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

/// The processes that are children of one, and run gpp.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos)
      continue;
    std::ifstream stat(entry.path() / "stat");
    std::string text;
    std::getline(stat, text);
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos || text.find("(gpp)") == std::string::npos) continue;
    std::istringstream rest(text.substr(name_end + 1));
    char state = 0;
    pid_t of = 0;
    rest >> state >> of;
    if (of == parent) children.push_back(std::stoi(entry.path().filename()));
  }
  return children;
}

/// A process that says what it has to say to a file.
pid_t start(const Words& words, const fs::path& said) {
  const pid_t process = fork();
  if (process != 0) return process;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (freopen("/dev/null", "w", stdout) == nullptr || freopen(said.c_str(), "w", stderr) == nullptr)
    _exit(1);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

/// Whether the launcher ends in time, and not well. Else it is killed.
bool ends_badly(pid_t launcher, std::chrono::seconds most) {
  const auto start = std::chrono::steady_clock::now();
  int status = 0;
  while (waitpid(launcher, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() - start > most) {
      kill(launcher, SIGKILL);
      waitpid(launcher, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

class Trouble : public Ranks {
 protected:
  /// Sends one of two ranks that signal in the midst of their work: the other must end in time,
  /// and nothing half is left.
  void expect_end_after(int signal, std::chrono::seconds most) const {
    const pid_t launcher = start(mpirun(2, {"--preset", "medium", "--device", "host", "--repeat",
                                            "1000", "--time-limit", "1000", "-o", out()}),
                                 said());
    ASSERT_GE(launcher, 0);
    std::vector<pid_t> ranks;
    for (int i = 0; i < 600 && ranks.size() < 2; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      ranks = children_of(launcher);
    }
    ASSERT_EQ(ranks.size(), 2U);
    std::this_thread::sleep_for(std::chrono::seconds(3));
    kill(ranks[1], signal);
    EXPECT_TRUE(ends_badly(launcher, most)) << "the other rank did not end";
    EXPECT_TRUE(children_of(launcher).empty());
    EXPECT_FALSE(fs::exists(folder_ / "out" / "study.json"));
  }

  fs::path said() const { return folder_ / "said"; }
};

TEST_F(Trouble, OfARankThatDiesEndsTheOther) {
  expect_end_after(SIGKILL, std::chrono::seconds(60));
}

TEST_F(Trouble, OfAStoppedRankIsNamed) {
  expect_end_after(SIGSTOP, std::chrono::seconds(300));
  EXPECT_TRUE(test::contains(test::file_text(said()), ") is stopped")) << test::file_text(said());
}

TEST_F(Trouble, OfARankWithoutMpiIsNamed) {
  const pid_t launcher = start(
      joined(mpirun(1, small({"--time-limit", "0"})), {":", "-n", "1", "sleep", "1000"}), said());
  EXPECT_TRUE(ends_badly(launcher, std::chrono::seconds(300))) << "it waits for ever";
  EXPECT_TRUE(test::contains_all(test::file_text(said()),
                                 {"rank 1 (sleep, process ", ") has not called MPI_Init"}))
      << test::file_text(said());
}

/// Ranks without a launcher are named likewise.
TEST(LateRanks, AreNamedByWhatKeepsThem) {
  const std::string job = "of-a-test-" + std::to_string(getpid());
  setenv("PMIX_NAMESPACE", job.c_str(), 1);
  EXPECT_TRUE(test::contains(not_come(3, "starting"), "for 3 s while starting: none of this host"));
  const pid_t late = start({"env", "PMIX_RANK=7", "sleep", "1000"}, "/dev/null");
  const std::string name = "rank 7 (sleep, process " + std::to_string(late) + ") ";
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!test::contains(not_come(3, "starting"), name + "has not called MPI_Init") &&
         std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(late, SIGSTOP);
  waitpid(late, nullptr, WUNTRACED);
  EXPECT_TRUE(test::contains(not_come(3, "starting"), name + "is stopped"));
  kill(late, SIGKILL);
  waitpid(late, nullptr, 0);
  unsetenv("PMIX_NAMESPACE");
}

TEST(LateRanks, EndACallThatWaitsForThem) {
  EXPECT_EXIT(
      {
        const Deadline deadline(0.01, "starting");
        pause();
      },
      testing::ExitedWithCode(1), "gpp: rank 0: another rank did not come for 0 s while starting");
  const Deadline never(1000, "ending at once");
}

// ---- The plan needs no MPI

TEST(PlanCommand, NamesTheSystemsAndTakesTheSpeedGiven) {
  const roofline::Finished finished =
      roofline::run_program({GPP_PROGRAM, "scale", "--plan", "Si-2742", "--gpus", "27648",
                             "--pools", "256", "--states", "240", "--speed", "1e12", "--json"});
  ASSERT_EQ(finished.status, 0) << finished.errors;
  const auto json = nlohmann::json::parse(finished.output);
  EXPECT_EQ(json["systems"].size(), 5U);
  EXPECT_NEAR(json["systems"]["Si-2742"]["sigma_pflop"].get<double>(), 260.7, 2.6);
  EXPECT_EQ(json["terms_per_s"], 1e12);
  for (const Words& bad : {Words{"--plan", "Si-1", "--speed", "1"},
                           Words{"--plan", "Si-214", "--gpus", "0", "--speed", "1e9"},
                           Words{"--plan", "Si-214", "--speed", "nan"},
                           Words{"--plan", "Si-214", "--pools", "2", "--speed", "1e9"},
                           Words{"--plan", "Si-214", "--record", "/nowhere"}}) {
    EXPECT_EQ(roofline::run_program(joined({GPP_PROGRAM, "scale"}, bad)).status, 2)
        << bad[1] << " " << bad[2];
  }
}

}  // namespace
}  // namespace gpp::scale
