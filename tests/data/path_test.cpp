// Tests of unreadable and unwritable paths, and of files left after a failed write.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "data/gpp214.h"
#include "roofline/base/error.h"
#include "roofline/base/replace_file.h"
#include "tests/data/sample.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

template <class Action>
void expect_refused(const fs::path& path, const std::string& part, const Action& action) {
  EXPECT_TRUE(contains_all(thrown<roofline::InputError>(action), {path.string(), part}));
}

void expect_unreadable(const fs::path& path, const std::string& part) {
  expect_refused(path, part, [&] { read_gpp214(path); });
}

void expect_unwritable(const fs::path& path, const std::string& part) {
  expect_refused(path, part, [&] { write_gpp214(path, sample_input()); });
}

TEST(Reading, PathsThatHoldNoFile) {
  const test::TemporaryFolder folder;
  expect_unreadable(folder / "missing.dat", "no such file");
  expect_unreadable(folder.path() / "missing" / "missing.dat", "no such file");
  expect_unreadable("", "no such file");
  expect_unreadable(folder.path(), "directory");
  expect_unreadable("/dev/null", "not a regular file");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_unreadable(folder / "pipe", "not a regular file");
  fs::create_symlink(folder / "nowhere", folder / "link");
  expect_unreadable(folder / "link", "no such file");
  fs::create_symlink(folder / "loop", folder / "loop");
  expect_unreadable(folder / "loop", "cannot be looked at");
  write_content(folder / "empty.dat", "");
  expect_unreadable(folder / "empty.dat", "empty");
  write_content(folder / "text.dat", "ncouls = 12\n");
  expect_unreadable(folder / "text.dat", "text file");
}

/// Root can access everything, so root becomes the user "nobody" during a test.
class Unprivileged {
 public:
  Unprivileged() : root_(geteuid() == 0) {
    if (root_ && seteuid(65534) != 0) throw std::runtime_error("seteuid failed");
  }
  ~Unprivileged() {
    if (root_ && seteuid(0) != 0) std::abort();
  }

 private:
  bool root_;
};

TEST(Reading, AndWritingNeedPermission) {
  const test::TemporaryFolder folder;
  write_gpp214(folder / "secret.dat", sample_input());
  fs::permissions(folder / "secret.dat", fs::perms::none);
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec |
                                     fs::perms::others_read | fs::perms::others_exec);
  {
    const Unprivileged user;
    expect_unreadable(folder / "secret.dat", "Permission denied");
    expect_unwritable(folder / "new.dat", "Permission denied");
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(Writing, PathsThatCannotBeWrittenAndDisksThatAreFull) {
  const test::TemporaryFolder folder;
  expect_unwritable(folder.path(), "directory");
  expect_unwritable(folder.path() / "missing" / "new.dat", "no directory");
  expect_unwritable("/dev/null", "not a regular file");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  expect_unwritable("/proc/new.dat", "/proc");
  bool called = false;
  expect_refused(folder / "huge.dat", "its disk has", [&] {
    roofline::replace_file(folder / "huge.dat", std::int64_t{1} << 62,
                           [&called](std::ostream&) { called = true; });
  });
  EXPECT_FALSE(called);
}

TEST(Writing, LeavesNothingElseReplacesAFileAndFollowsALink) {
  const test::TemporaryFolder folder;
  write_gpp214(folder / "new.dat", sample_input());
  write_content(folder / "old.dat", "old");
  fs::create_symlink("old.dat", folder / "link.dat");
  write_gpp214(folder / "link.dat", sample_input());
  EXPECT_TRUE(fs::is_symlink(folder / "link.dat"));
  for (const char* name : {"new.dat", "old.dat"})
    EXPECT_EQ(file_text(folder / name), bytes_of(sample_input())) << name;
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"link.dat", "new.dat", "old.dat"}));
}

/// A user with write access to the folder must not redirect our writes to another file.
TEST(Writing, FilesOfTheProgramsOwnGoThroughNoLink) {
  const test::TemporaryFolder folder;
  write_content(folder / "victim", "precious");
  for (const char* name : {"study.json", "study.json.partial"})
    fs::create_symlink("victim", folder / name);
  fs::create_symlink("loop", folder / "loop");
  roofline::write_whole(folder / "study.json", "record");
  roofline::write_whole(folder / "loop", "no loop");
  EXPECT_EQ(file_text(folder / "victim"), "precious");
  EXPECT_FALSE(fs::is_symlink(folder / "study.json"));
  EXPECT_EQ(file_text(folder / "study.json"), "record");
  EXPECT_EQ(file_text(folder / "loop"), "no loop");
}

/// Another user could own a temporary file with a predictable name.
TEST(Writing, TemporaryFilesHaveNamesOfTheirOwn) {
  const test::TemporaryFolder folder;
  std::set<std::string> names;
  for (int i = 0; i < 3; ++i)
    roofline::replace_file(folder / "new.dat", 1, [&](std::ostream&) {
      const std::vector<std::string> there = folder.names();
      names.insert(there.front());
      EXPECT_EQ(fs::status(folder / there.front()).permissions() & fs::perms::others_write,
                fs::perms::none);
    });
  EXPECT_EQ(names.size(), 3u);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"new.dat"});
}

/// Writing is interrupted, or the disk is full.
TEST(Writing, FailureOnTheWayIsReportedAndLeavesTheOldFile) {
  const test::TemporaryFolder folder;
  write_content(folder / "result.dat", "old");
  const auto interrupted = [](std::ostream& stream) {
    stream << "half of the";
    throw std::runtime_error("interrupted");
  };
  for (const char* name : {"result.dat", "new.dat"})
    EXPECT_THROW(roofline::replace_file(folder / name, 100, interrupted), std::runtime_error);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit full{100, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &full);
  expect_unwritable(folder / "result.dat", "writing it failed");
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"result.dat"});
  EXPECT_EQ(file_text(folder / "result.dat"), "old");
}

}  // namespace
}  // namespace gpp::test
