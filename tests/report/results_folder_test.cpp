// Tests that no study in a folder is lost, and that no two are mixed.
#include "harness/command/results_folder.h"

#include <map>
#include <set>
#include <thread>

#include "harness/program/source_files.h"
#include "harness/record/record.h"
#include "harness/record/trajectory.h"
#include "harness/report/page.h"
#include "roofline/base/files.h"
#include "roofline/base/text.h"
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
  write_record(results.path(), study_of(created, false));  // while it is measured
  results.write(study_of(created, true));
  for (const std::string& name : drawn) roofline::write_whole(folder / name, created);
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
  for (const char* name : {"notes.txt", "roofline.svg.mine", "planets.svg", "plane-gpu.csv",
                           "strong.svg", "published-sc20.svg"})
    std::ofstream(folder / name) << "mine";
  fs::create_directory(folder / "data");
  { const ResultsFolder results(folder, Taken::replace); }
  EXPECT_EQ(read_record(folder).created, old_study) << "where there is no new one";
  write_a_study(folder, new_study, Taken::replace);
  EXPECT_EQ(read_record(folder).created, new_study);
  const auto files = files_in(folder);
  for (const std::string& name : drawn) EXPECT_EQ(files.at(name), new_study) << name;
  for (const char* foreign : {"notes.txt", "roofline.svg.mine", "planets.svg"})
    EXPECT_TRUE(files.contains(foreign)) << foreign;
  EXPECT_TRUE(fs::is_directory(folder / "data"));
  EXPECT_EQ(files.size(), drawn.size() + 4) << "what shows the old study's numbers went";
}

TEST_F(ResultsFolderTest, AnOldStudyStaysWhereTheNewOneDoesNotGetThere) {
  write_a_study(folder, old_study, Taken::refuse);
  const auto before = files_in(folder);
  {
    ResultsFolder results(folder / "", Taken::replace);
    write_record(results.path(), study_of(new_study, false));
    results.write(study_of(new_study, false));
  }
  EXPECT_EQ(files_in(folder), before);
  EXPECT_EQ(read_record(temporary / "study-partial").created, new_study) << "nothing is lost";
  write_a_study(folder, new_study, Taken::replace);
  EXPECT_EQ(read_record(folder).created, new_study);
  EXPECT_FALSE(fs::exists(temporary / "study-partial-2"));
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
  refused(study(folder, {"--seed", "2", "--replace"}),
          {"report.html: it cannot be written: it is a directory"});
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

TEST_F(ResultsFolderTest, AReportMayBeDrawnAgain) {
  ASSERT_EQ(study(folder).status, 0);
  ASSERT_EQ(study(temporary / "other").status, 0);
  const std::string a = folder.string(), b = (temporary / "other").string();
  EXPECT_EQ(report({a, "-o", a + "/."}).status, 0);
  EXPECT_EQ(report({a + "/study.json"}).status, 0);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(report({a, b, "-o", (temporary / "both").string()}).status, 0);
}

TEST_F(ResultsFolderTest, AReportOfATrajectoryLiesBesideIt) {
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
  EXPECT_NE(report({a, b, "-o", (temporary / "all").string()}).status, 2);
}

}  // namespace
}  // namespace gpp::test
