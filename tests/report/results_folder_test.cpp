// Tests that no study in a folder is lost, and that no two are mixed: by one process, by concurrent
// ones, and by killed ones.
#include "harness/command/results_folder.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <set>
#include <thread>

#include "harness/program/source_files.h"
#include "harness/record/record.h"
#include "harness/record/trajectory.h"
#include "harness/report/page.h"
#include "roofline/base/error.h"
#include "roofline/base/replace_file.h"
#include "tests/finished.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> drawn = {"study.csv", "summary.txt", "ladder.svg", "report.html"};

const std::string old_study = "2025-01-31T12:00:00Z";
const std::string new_study = "2025-02-28T12:00:00Z";

/// A study identified by its date.
StudyRecord study_of(const std::string& created, bool complete) {
  StudyRecord study = sample_study();
  study.created = created;
  study.complete = complete;
  return study;
}

/// Writes a study like `gpp study`, from the folder to the last file.
void write_a_study(const fs::path& folder, const std::string& created, Taken if_taken) {
  ResultsFolder results(folder, if_taken);
  write_record(results.working(), study_of(created, false));
  for (const std::string& name : drawn) roofline::write_whole(results.working() / name, created);
  results.put_in_place();
  write_record(results.path(), study_of(created, true));
}

/// All files' texts by name.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files[entry.path().filename().string()] = text_of(entry.path());
  return files;
}

class ResultsFolderTest : public testing::Test {
 protected:
  void expect_refused(const std::string& part, Taken if_taken = Taken::refuse) const {
    const std::string message =
        thrown<roofline::InputError>([&] { const ResultsFolder results(folder, if_taken); });
    EXPECT_TRUE(contains_all(message, {part, folder.string()}));
  }
  /// Expects the complete old study, or the new one, partial or complete, without old files.
  void expect_one_study(const std::string& when) const {
    const StudyRecord study = read_record(folder);
    if (study.created != old_study && !study.complete) return;
    std::map<std::string, std::string> files = files_in(folder);
    for (const std::string& name : drawn) EXPECT_EQ(files[name], study.created) << name << when;
    EXPECT_TRUE(study.complete) << when;
  }

  TemporaryFolder temporary;
  const fs::path folder = temporary / "study";
};

TEST_F(ResultsFolderTest, NewFoldersOfOneNameAreDifferent) {
  constexpr int threads = 8, each = 5;
  std::vector<std::vector<fs::path>> made(threads);
  {
    std::vector<std::jthread> pool;
    for (std::vector<fs::path>& mine : made)
      pool.emplace_back([&] {
        for (int i = 0; i < each; ++i) mine.push_back(new_folder(folder));
      });
  }
  std::set<fs::path> different;
  for (const std::vector<fs::path>& mine : made) different.insert(mine.begin(), mine.end());
  EXPECT_EQ(different.size(), std::size_t{threads * each});
  EXPECT_TRUE(different.contains(folder) && different.contains(temporary / "study-2"));
}

TEST_F(ResultsFolderTest, ReplacesWhatIsOfAStudyAndNothingElse) {
  write_a_study(folder, old_study, Taken::refuse);
  for (const char* name : {"notes.txt", "roofline.svg.mine", "planets.svg", "time-gpu.png",
                           "plane-gpu.csv", "strong.svg", "weak.gp", "published-sc20.svg"})
    std::ofstream(folder / name) << "mine";
  fs::create_directory(folder / "data");
  write_a_study(folder, new_study, Taken::replace);
  expect_one_study("");
  EXPECT_EQ(read_record(folder).created, new_study);
  const auto files = files_in(folder);
  for (const char* foreign : {"notes.txt", "roofline.svg.mine", "planets.svg"})
    EXPECT_TRUE(files.contains(foreign)) << foreign;
  for (const char* old :
       {"time-gpu.png", "plane-gpu.csv", "strong.svg", "weak.gp", "published-sc20.svg"})
    EXPECT_FALSE(files.contains(old)) << old << " shows the old study's numbers";
  EXPECT_TRUE(fs::is_directory(folder / "data"));
  EXPECT_EQ(files.size(), drawn.size() + 4) << "study.json and three foreign files besides";
}

TEST_F(ResultsFolderTest, AnOldStudyStaysWhereTheNewOneDoesNotGetThere) {
  write_a_study(folder, old_study, Taken::refuse);
  const auto before = files_in(folder);
  const fs::path unfinished = folder / "unfinished";
  for (int killed = 0; killed < 3; ++killed) {
    {
      const ResultsFolder results(folder, Taken::replace);
      EXPECT_EQ(results.working(), unfinished) << "it is piled up nowhere";
      write_record(unfinished, study_of(new_study, false));
      std::ofstream(unfinished / "ladder.svg") << new_study;
    }
    EXPECT_EQ(files_in(folder), before);
    EXPECT_EQ(read_record(unfinished).created, new_study) << "what was measured is kept";
  }
  std::ofstream(folder / "unfinished/notes.txt") << "mine";
  write_a_study(folder, new_study, Taken::replace);
  expect_one_study("");
  EXPECT_EQ(files_in(unfinished).size(), 1u) << "what is not a study's stays";
}

TEST_F(ResultsFolderTest, HoldsOneStudyAndTakesOneAtATime) {
  {
    const ResultsFolder mine(folder, Taken::refuse);
    expect_refused("another study is being written");
    expect_refused("another study is being written", Taken::replace);
  }
  EXPECT_FALSE(fs::exists(folder)) << "made for nothing";
  write_a_study(folder, old_study, Taken::refuse);
  const auto before = files_in(folder);
  expect_refused("--replace");
  EXPECT_EQ(files_in(folder), before);
  fs::remove(folder / "study.json");
  expect_refused("holds a study already");
  fs::remove_all(folder);
  fs::create_directory(folder);
  { const ResultsFolder results(folder, Taken::refuse); }
  EXPECT_TRUE(fs::is_empty(folder)) << "it did not make it";
}

/// Thrown if the system does not allow tracing of child processes.
struct NoTracing {};

/// Runs `work` in a child process that is killed at its n-th system call. Returns whether it was
/// killed before its end.
template <class Work>
bool killed_at_call(int n, Work&& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(77);
    raise(SIGSTOP);
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  for (int stops = 0; WIFSTOPPED(status); ++stops) {
    if (stops == 2 * n) {  // one stop before and one after each call
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return true;
    }
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) throw NoTracing();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return false;
}

/// Others can observe changes only at system calls, so these are all relevant instants.
TEST_F(ResultsFolderTest, AKillAtAnyInstantLeavesOneStudy) {
  const TemporaryFolder made;
  write_a_study(made / "old", old_study, Taken::refuse);
  const auto replace_it = [&] { write_a_study(folder, new_study, Taken::replace); };
  constexpr int most = 5000;
  int n = 1;
  try {
    for (bool killed = true; killed && n < most; ++n) {
      fs::remove_all(folder);
      fs::copy(made / "old", folder, fs::copy_options::recursive);
      killed = killed_at_call(n, replace_it);
      expect_one_study(", killed at call " + std::to_string(n));
      if (HasFailure()) return;
    }
  } catch (const NoTracing&) {
    GTEST_SKIP() << "a process may not trace its child here";
  }
  EXPECT_GT(n, 20);
  EXPECT_LT(n, most);
  EXPECT_EQ(read_record(folder).created, new_study) << "the last run was not killed";
}

// ---------------------------------------------------------------- the program itself

/// Options for the smallest study.
Texts quick(const fs::path& folder) {
  return {"--preset",   "tiny", "--model",    "serial", "--repeat", "1",
          "--counters", "off",  "--ceilings", "off",    "-o",       folder.string()};
}

Finished study(const fs::path& folder, Texts more = {}) {
  more.insert(more.begin(), "study");
  return run_gpp(more, quick(folder));
}

/// Charts and page can be drawn again, measurements cannot. A replacement draws everything again or
/// removes it.
TEST_F(ResultsFolderTest, NothingThatWasDrawnSurvivesAReplacementAndNoRecordIsLost) {
  ASSERT_EQ(study(folder).status, 0);
  const auto first = files_in(folder);
  refused(study(folder), {"--replace"});
  EXPECT_EQ(run_gpp({"run", "v1"}, quick(folder)).status, 2);
  EXPECT_EQ(files_in(folder), first);
  fs::remove(folder / "report.html");
  fs::create_directories(folder / "report.html/in the way");
  refused(study(folder, {"--seed", "2", "--replace"}), {"report.html: this is a directory"});
  EXPECT_TRUE(read_record(folder).complete);
  EXPECT_TRUE(contains(read_record(folder).input.path, "seed 2"));
  fs::remove_all(folder);
  const StudyRecord old = roofline_study();
  {
    ResultsFolder results(folder, Taken::refuse);
    Measured measured;
    measured.study = old;
    write_study(results, measured);
  }
  const auto before = files_in(folder);
  EXPECT_TRUE(before.contains("plane-host.svg")) << "planes are drawn, too";
  ASSERT_EQ(study(folder, {"--replace"}).status, 0);
  for (const auto& [name, text] : files_in(folder))
    if (before.contains(name)) {
      EXPECT_NE(text, before.at(name)) << name << " is the old one";
    }
}

Finished report(const Texts& arguments) { return run_gpp({"report"}, arguments); }

TEST_F(ResultsFolderTest, AReportGoesIntoNoOtherStudysFolder) {
  ASSERT_EQ(study(folder).status, 0);
  ASSERT_EQ(study(temporary / "other").status, 0);
  const std::string a = folder.string(), b = (temporary / "other").string();
  const auto before = files_in(folder);
  for (const std::vector<std::string>& arguments :
       {std::vector{b, std::string("-o"), a}, std::vector{a, b, std::string("-o"), a}}) {
    refused(report(arguments), {"not of"});
  }
  EXPECT_EQ(files_in(folder), before);
  EXPECT_EQ(report({a, "-o", a + "/."}).status, 0) << "its own may be drawn again";
  EXPECT_EQ(report({a + "/study.json"}).status, 0);
  EXPECT_EQ(report({a, b, "-o", (temporary / "both").string()}).status, 0);
  EXPECT_EQ(report({a, b, "-o", (temporary / "both").string()}).status, 0)
      << "a report is no study";
}

TEST_F(ResultsFolderTest, AReportOfATrajectoryLiesBesideItAndInNoOther) {
  const std::string a = (temporary / "one").string(), b = (temporary / "two").string();
  for (const std::string& path : {a, b}) {
    fs::create_directories(path);
    write_trajectory(path, sample_trajectory());
  }
  const Finished done = report({a});
  EXPECT_NE(done.status, 2) << done.errors;
  EXPECT_TRUE(contains(done.output, "that grows to 132 multiprocessors"));
  EXPECT_FALSE(fs::exists(temporary / "one/report.html")) << "showing writes nothing";
  EXPECT_NE(report({a + "/trajectory.json", "-o", a}).status, 2);
  EXPECT_TRUE(contains(text_of(temporary / "one/report.html"), "id=\"trajectory-1\""));
  EXPECT_TRUE(fs::exists(temporary / "one/trajectory.svg"));
  refused(report({a, "-o", b}), {"holds a trajectory that this report is not of"});
  EXPECT_NE(report({a, b, "-o", (temporary / "all").string()}).status, 2);
}

}  // namespace
}  // namespace gpp::test
