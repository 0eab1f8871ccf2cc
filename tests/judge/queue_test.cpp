// A folder of submissions, and judges who share it.
#include "harness/judge/queue.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "roofline/base/error.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& file, int age) {
  std::ofstream(file) << "text";
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(age));
}

TEST(SubmissionQueue, GivesTheOldestFirstAndEachOnce) {
  const TemporaryFolder folder;
  put(folder / "b.cpp", 3);
  put(folder / "a.cpp", 1);
  put(folder / ".hidden", 9);
  put(folder / std::string(250, 'x'), 9);
  SubmissionQueue one(folder.path()), other(folder.path());
  const auto first = one.take(), second = other.take();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->name, "b.cpp");
  EXPECT_EQ(second->name, "a.cpp");
  EXPECT_FALSE(one.take());
  one.finish(*first);
  other.finish(*second);
  EXPECT_TRUE(fs::exists(folder / "done" / "b.cpp"));
}

TEST(SubmissionQueue, TakesAgainWhatAJudgeLeftBehind) {
  const TemporaryFolder folder;
  put(folder / "a.cpp", 1);
  SubmissionQueue queue(folder.path());
  { const auto lost = queue.take(); }
  const auto again = queue.take();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->path, folder / "taken" / "a.cpp");
}

TEST(SubmissionQueue, KeepsWhatWasHandedInTwice) {
  const TemporaryFolder folder;
  SubmissionQueue queue(folder.path());
  for (int i = 0; i < 2; ++i) {
    put(folder / "a.cpp", 1);
    queue.finish(*queue.take());
  }
  EXPECT_TRUE(fs::exists(folder / "done" / "a.cpp"));
  EXPECT_TRUE(fs::exists(folder / "done" / "a.cpp.1"));
}

TEST(SubmissionQueue, RefusesWhatIsNoFolder) {
  const TemporaryFolder folder;
  EXPECT_TRUE(contains(thrown<roofline::InputError>([&] { SubmissionQueue(folder / "none"); }),
                       "is no folder"));
  fs::create_directory_symlink("/", folder / "done");
  EXPECT_TRUE(contains(thrown<roofline::InputError>([&] { SubmissionQueue(folder.path()); }),
                       "is no folder that this program made"));
}

}  // namespace
}  // namespace gpp::test
