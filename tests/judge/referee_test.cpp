// Players are frozen, see no input that they could write, and are judged by their answers alone.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <tuple>

#include "harness/judge/held_player.h"
#include "tests/judge/judging.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

bool is_built(const char* kernel, std::string_view id) {
  return std::ranges::any_of(find_kernel(kernel)->catalog(), [id](const Variant& variant) {
    return variant.id == id && variant.model == "omp" && !variant.builds.empty();
  });
}

/// It may lack a layer here; what it does is a matter of the others.
void expect_failure(const Ruling& ruling, const std::string& why) {
  EXPECT_FALSE(ruling.passed);
  EXPECT_TRUE(contains(ruling.reason, why));
  EXPECT_TRUE(ruling.samples.size() < 5) << "it was timed to the end";
}

TEST(Referee, HonestStepsPass) {
  for (const auto& [id, model] : {std::pair{"v1", "serial"}, {"v8", "omp"}, {"v11", "omp"}}) {
    const Ruling ruling = judged_step(id, model);
    EXPECT_TRUE(ruling.passed) << ruling.reason;
    EXPECT_EQ(ruling.samples.size(), 5);
    EXPECT_GE(ruling.together, 1);
    EXPECT_GE(ruling.checks, 5 * ruling.together);
    EXPECT_GT(ruling.round_trip_s, 0);
  }
}

TEST(Referee, JudgesAnswersInArrays) {
  for (const auto& [kernel, id] : {std::pair{"transpose", "v2"},
                                   {"smith_waterman", "v1"},
                                   {"stream", "triad"},
                                   {"nbody", "v3"},
                                   {"epsilon", "chi0"}}) {
    if (find_kernel(kernel) == nullptr) GTEST_SKIP() << "built without examples";
    if (!is_built(kernel, id)) continue;
    Judging judging;
    judging.kernel = kernel;
    const Ruling ruling = judged_step(id, "omp", judging);
    EXPECT_TRUE(ruling.passed) << kernel << ": " << ruling.reason;
    EXPECT_EQ(ruling.samples.size(), 5);
  }
}

/// A copy of a step of each, under another name.
TEST(Referee, PluginsOfOtherKernelsAreJudged) {
  const TemporaryFolder folder;
  for (const auto& [kernel, file, name] : {std::tuple{"transpose", "v02_shared.cpp", "shared"},
                                           {"smith_waterman", "v03_strips.cpp", "strips"},
                                           {"stream", "triad.cpp", "triad"},
                                           {"nbody", "v03_block.cpp", "block"}}) {
    if (find_kernel(kernel) == nullptr) GTEST_SKIP() << "built without examples";
    std::string text = file_text(fs::path(GPP_SOURCE_DIR) / "examples" / kernel / "omp" / file);
    const std::string head = fmt::format("void {}(const ", name);
    ASSERT_TRUE(contains(text, head));
    text.replace(text.find(head), head.size(), fmt::format("void copied_{}(const ", name));
    const fs::path copy = folder / fmt::format("copied_{}.cpp", name);
    std::ofstream(copy) << text;
    Judging judging;
    judging.kernel = kernel;
    const Ruling ruling = judged_file(copy, judging);
    EXPECT_TRUE(ruling.passed) << kernel << ": " << ruling.reason;
    EXPECT_EQ(ruling.samples.size(), 5);
  }
}

TEST(Referee, OurOwnThreadsSleepBeforeAPlayerIsTimed) {
  std::atomic<bool> asleep = false, over = false;
  std::thread spins([&] {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(60)) {
    }
    asleep = true;
    over.wait(false);
  });
  let_our_threads_sleep();
  EXPECT_TRUE(asleep);
  over = true;
  over.notify_all();
  spins.join();
}

TEST(Referee, WrongSumsAndWrittenInputsFail) {
  const Ruling honest = judged_text("honest", "return power2(problem);");
  EXPECT_TRUE(honest.passed) << honest.reason;
  expect_failure(
      judged_text("wrong",
                  "Sums sums = power2(problem); sums.asx[0] = 1.001 * sums.asx[0]; return sums;"),
      "instead of");
  expect_failure(judged_text("keeper", "static Sums kept = power2(problem);\nreturn kept;"),
                 "instead of");
  expect_failure(
      judged_text("writer",
                  "const_cast<double*>(problem.vcoul_loc.data)[0] = 1; return power2(problem);"),
      "crashed (signal 11)");
}

TEST(Referee, HowAPlayerEndsIsTold) {
  expect_failure(judged_text("leaver", "std::_Exit(0);"), "exit status 0");
  expect_failure(judged_text("thrower", "throw std::runtime_error(\"no \\x1b[31m\");"),
                 "no \\x1b[31m");
  Judging judging;
  judging.longest_run = 0.5;
  expect_failure(judged_text("sleeper", "for (;;) pause();", "", judging), "did not end in 0.5 s");
}

/// A thread looks at the clock all the time, and finds that it was stopped between two runs. The
/// answer is wrong where it was not.
TEST(Referee, PlayersStandStillBetweenRuns) {
  const std::string before =
      "}\n#include <atomic>\n#include <thread>\n#include <chrono>\nnamespace gpp::omp {\n"
      "std::atomic<long> last{0}; std::atomic<bool> moved{false};\n"
      "long now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }\n";
  const std::string watch =
      "static std::thread watcher([] { for (last = now();;) { const long t = now();\n"
      "  if (t - last > 2000000) moved = true; last = t; } });\n";
  const std::string late =
      "static int runs = 0; Sums sums = power2(problem);\n"
      "if (++runs > 8 && !moved) sums.asx[0] = 2.0 * sums.asx[0]; return sums;";
  Judging judging;
  judging.repeat = 20;
  const Ruling ruling = judged_text("watcher", watch + late, before, judging);
  EXPECT_TRUE(ruling.passed) << ruling.reason;
  EXPECT_FALSE(judged_text("late", late, before, judging).passed)
      << "there are more runs than eight";
}

TEST(Referee, AProcessOfItsOwnIsAFoul) {
  Judging judging;
  judging.without = {Layer::system_calls};
  const Ruling ruling = judged_text(
      "forker", "if (fork() == 0) for (;;) pause(); return power2(problem);", "", judging);
  EXPECT_FALSE(ruling.passed);
  EXPECT_TRUE(ruling.foul) << ruling.reason;
  EXPECT_TRUE(contains(ruling.reason, "process of its own"));
  EXPECT_FALSE(ruling.layers.all_hold());
}

TEST(Referee, ForksAreRefusedByTheFilter) {
  if (const std::string why = lacking({Layer::system_calls}); !why.empty()) GTEST_SKIP() << why;
  expect_failure(
      judged_text("forked", "if (fork() < 0) throw std::runtime_error(\"refused\"); return {};"),
      "refused");
}

TEST(Referee, NoFileOfTheMachineIsThere) {
  if (const std::string why = lacking({Layer::mount_namespace}); !why.empty()) GTEST_SKIP() << why;
  const std::string body = "for (const char* file : {\"/etc/passwd\", \"" GPP_SOURCE_DIR
                           "/README.md\", \"/home\", \"/root/.ssh\"})\n"
                           "  if (access(file, R_OK) == 0) throw std::runtime_error(file);\n"
                           "if (access(\"/proc/1/exe\", F_OK) == 0 && getpid() != 1) throw "
                           "std::runtime_error(\"others\");\n"
                           "return power2(problem);";
  const Ruling ruling = judged_text("looker", body);
  EXPECT_TRUE(ruling.passed) << ruling.reason;
}

}  // namespace
}  // namespace gpp::test
