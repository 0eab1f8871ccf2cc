// Tests that players are stopped between runs, see only read-only inputs, and are judged by answers
// alone; that active and missing layers are named; and that submitted files may be anything.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
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

/// A layer may be missing here, which is tested elsewhere.
void expect_failure(const Ruling& ruling, const std::string& why) {
  EXPECT_FALSE(ruling.passed());
  EXPECT_TRUE(contains(ruling.reason, why));
  EXPECT_TRUE(ruling.samples.size() < 5) << "it was timed to the end";
}

TEST(Referee, HonestStepsPass) {
  for (const auto& [id, model] : {std::pair{"v1", "serial"}, {"v8", "omp"}, {"v11", "omp"}}) {
    const Ruling ruling = judged_step(id, model);
    EXPECT_TRUE(ruling.passed()) << ruling.reason;
    EXPECT_EQ(ruling.samples.size(), 5);
    EXPECT_GE(ruling.checks, 5 * ruling.together);
    EXPECT_GT(ruling.round_trip_s, 0);
  }
}

/// Steps, and copies of steps under other names.
TEST(Referee, JudgesAnswersInArrays) {
  const TemporaryFolder folder;
  for (const auto& [kernel, id, file, name] :
       {std::tuple{"transpose", "v2", "v02_shared.cpp", "shared"},
        {"smith_waterman", "v3", "v03_strips.cpp", "strips"},
        {"stream", "triad", "elements.cpp", "triad"},
        {"nbody", "v3", "v03_block.cpp", "block"},
        {"epsilon", "chi0", "", ""}}) {
    Judging judging;
    judging.kernel = kernel;
    std::vector<Ruling> rulings;
    if (is_built(kernel, id)) rulings.push_back(judged_step(id, "omp", judging));
    if (const std::string head = fmt::format("void {}(const ", name); *name != 0) {
      std::string text = file_text(fs::path(GPP_SOURCE_DIR) / "examples" / kernel / "omp" / file);
      ASSERT_TRUE(contains(text, head));
      text.replace(text.find(head), head.size(), fmt::format("void copied_{}(const ", name));
      const std::string line = fmt::format("GPP_VARIANT({});", name);
      ASSERT_TRUE(contains(text, line));
      text.replace(text.find(line), line.size(), fmt::format("GPP_VARIANT(copied_{});", name));
      const fs::path copy = folder / fmt::format("copied_{}.cpp", name);
      std::ofstream(copy) << text;
      rulings.push_back(judged_file(copy, judging));
    }
    for (const Ruling& ruling : rulings) {
      EXPECT_TRUE(ruling.passed()) << kernel << ": " << ruling.reason;
      EXPECT_EQ(ruling.samples.size(), 5);
    }
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

TEST(Referee, WrongSumsWrittenInputsAndBadEndsFail) {
  const Ruling honest = judged_text("honest", "return power2(problem);");
  EXPECT_TRUE(honest.passed()) << honest.reason;
  expect_failure(
      judged_text("writer",
                  "const_cast<double*>(problem.vcoul_loc.data)[0] = 1; return power2(problem);"),
      "crashed (signal 11)");
  expect_failure(judged_text("leaver", "std::_Exit(0);"), "exit status 0");
  expect_failure(judged_text("thrower", "throw std::runtime_error(\"no \\x1b[31m\");"),
                 "no \\x1b[31m");
  Judging judging;
  judging.longest_run = 0.5;
  expect_failure(judged_text("sleeper", "for (;;) pause();", "", judging), "did not end in 0.5 s");
}

/// A thread polls the clock, and detects that it was stopped between two runs. Otherwise the answer
/// is wrong.
TEST(Referee, PlayersStandStillBetweenRuns) {
  const std::string before =
      "#include <atomic>\n#include <thread>\n#include <chrono>\n"
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
  EXPECT_TRUE(ruling.passed()) << ruling.reason;
  EXPECT_FALSE(judged_text("late", late, before, judging).passed())
      << "there are more runs than eight";
}

TEST(Referee, AProcessOfItsOwnIsAFoul) {
  Judging judging;
  judging.without = {layer::system_calls};
  const Ruling ruling = judged_text(
      "forker", "if (fork() == 0) for (;;) pause(); return power2(problem);", "", judging);
  EXPECT_FALSE(ruling.passed());
  EXPECT_TRUE(ruling.foul) << ruling.reason;
  EXPECT_TRUE(contains(ruling.reason, "process of its own"));
  EXPECT_FALSE(ruling.layers.has(layer::system_calls));
}

// ---- Layers -------------------------------------------------------------------------------------

TEST(Layers, AreNamedInARecord) {
  Layers layers;
  layers.note(layer::resources);
  layers.note(layer::pid_namespace, "no");
  layers.note(layer::pid_namespace, "later");
  EXPECT_EQ(layers.text(), "resources; without pid-namespace (no)");
  EXPECT_TRUE(layers.has(layer::resources));
  EXPECT_FALSE(layers.has(layer::pid_namespace));
}

TEST(Layers, WithoutBubblewrapItIsJudgedAndHasNoRank) {
  const Layers layers = judged_step("v1", "serial").layers;
  for (const char* const of_the_process : {layer::system_calls, layer::resources})
    EXPECT_TRUE(layers.has(of_the_process)) << layers.text();
  Judging judging;
  judging.without = {layer::mount_namespace};
  const Ruling ruling = judged_step("v1", "serial", judging);
  EXPECT_TRUE(ruling.passed()) << ruling.reason;
  EXPECT_FALSE(ruling.layers.has(layer::user_namespace));
  EXPECT_TRUE(ruling.layers.has(layer::read_only_inputs));
  EXPECT_TRUE(contains(ruling.layers.text(), "mount-namespace (not wanted)"));
}

/// Runs in a restricted process; returns 0 if everything is refused.
int tries_all() {
  if (!limit_this_process({true, true, true, 0}).empty()) return 1;
  if (fork() >= 0) return 2;
  if (execl("/bin/true", "true", nullptr) >= 0) return 3;
  if (kill(getppid(), 0) == 0) return 4;
  if (setsid() >= 0 || setpgid(0, 0) == 0) return 5;
  if (access("/", R_OK) != 0) return 6;
  std::FILE* const file = std::fopen("/tmp/gpp-judge-test", "w");
  return file == nullptr ? 0 : 7;
}

TEST(Layers, TheFilterRefusesCalls) {
  const pid_t child = fork();
  if (child == 0) _exit(tries_all());
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// ---- Submissions --------------------------------------------------------------------------------

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

/// The reason why a submission is not compiled.
std::string refusal(const fs::path& path) { return judged_file(path).reason; }

TEST(Submissions, ThatAreNoSourcesAreRefused) {
  const TemporaryFolder folder;
  mkfifo((folder / "pipe.cpp").c_str(), 0600);
  fs::create_symlink("/dev/zero", folder / "device.cpp");
  write(folder / "large.cpp", std::string((1 << 20) + 1, ' '));
  for (const char* name : {"a b.cpp", "empty.cpp"}) write(folder / name, "");
  write(folder / "long.cpp", "#include \"" + std::string(1 << 19, 'a') + "\"\n");
  write(folder / "broken.cpp", "namespace gpp::omp { Sums broken(const Problem& problem) { } }\n");
  for (const auto& [name, why] : {std::pair{"none.cpp", "cannot be read"},
                                  {"pipe.cpp", "is no regular file"},
                                  {"device.cpp", "is no regular file"},
                                  {"large.cpp", "more than a MiB"},
                                  {"a b.cpp", "names of files"},
                                  {"empty.cpp", ""},
                                  {"long.cpp", ""},
                                  {"broken.cpp", "Sums"}}) {
    const Ruling ruling = judged_file(folder / name);
    EXPECT_FALSE(ruling.passed()) << name;
    EXPECT_TRUE(contains(ruling.reason, why)) << name;
  }
}

TEST(Submissions, ReachNoFileButTheirOwn) {
  const TemporaryFolder folder;
  write(folder / "other.h", "// another team's");
  fs::create_directory(folder / "mine");
  write(folder / "mine" / "mine.cpp", "#include \"../other.h\"\n");
  EXPECT_TRUE(contains(refusal(folder / "mine"), "includes a file that is not its own"));
  write(folder / "mine" / "mine.cpp", "#  include \"/etc/passwd\"\n");
  EXPECT_TRUE(contains(refusal(folder / "mine"), "includes a file that is not its own"));
  fs::create_symlink(folder / "other.h", folder / "mine" / "link.h");
  EXPECT_TRUE(contains(refusal(folder / "mine"), "is a link"));
}

TEST(Submissions, AFolderIsCompiledWithItsHeaders) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "mine");
  write(folder / "mine" / "mine.h", "#include \"variants/omp/v08_power2.cpp\"\n");
  write(folder / "mine" / "mine.cpp",
        "#include \"mine.h\"\nnamespace gpp::omp {\n"
        "Sums mine(const Problem& problem) { return power2(problem); }\n"
        "GPP_VARIANT(mine);\n}\n");
  const Ruling ruling = judged_file(folder / "mine");
  EXPECT_TRUE(ruling.passed()) << ruling.reason;
}

}  // namespace
}  // namespace gpp::test
