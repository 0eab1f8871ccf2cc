// Files and folders that somebody hands in may be anything.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/judge/judging.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

/// Why it is not even compiled.
std::string refusal(const fs::path& path) { return judged_file(path).reason; }

TEST(Submissions, ThatAreNoSourcesAreRefused) {
  const TemporaryFolder folder;
  const auto expect = [&](const fs::path& name, const std::string& why) {
    EXPECT_TRUE(contains(refusal(folder / name), why)) << name;
  };
  expect("none.cpp", "cannot be read");
  mkfifo((folder / "pipe.cpp").c_str(), 0600);
  expect("pipe.cpp", "is no regular file");
  fs::create_symlink("/dev/zero", folder / "device.cpp");
  expect("device.cpp", "is no regular file");
  write(folder / "large.cpp", std::string((1 << 20) + 1, ' '));
  expect("large.cpp", "more than a MiB");
  write(folder / "a b.cpp", "");
  expect("a b.cpp", "names of files");
  write(folder / "empty.cpp", "");
  expect("empty.cpp", "");
  write(folder / "long.cpp", "#include \"" + std::string(1 << 19, 'a') + "\"\n");
  expect("long.cpp", "");
  write(folder / "broken.cpp", "namespace gpp::omp { Sums broken(const Problem& problem) { } }\n");
  expect("broken.cpp", "Sums");
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
        "Sums mine(const Problem& problem) { return power2(problem); }\n}\n");
  const Ruling ruling = judged_file(folder / "mine");
  EXPECT_TRUE(ruling.passed) << ruling.reason;
}

/// Neither by a macro nor in assembler, which nobody looks at before.
TEST(Submissions, CompileInASandbox) {
  if (const std::string why = lacking({Layer::mount_namespace}); !why.empty()) GTEST_SKIP() << why;
  const TemporaryFolder folder;
  for (const std::string line :
       {"#define FILE </etc/passwd>\n#include FILE\n", "asm(\".incbin \\\"/etc/passwd\\\"\");\n"}) {
    write(folder / "spy.cpp", "#include \"gpp/variant.h\"\n" + line +
                                  "namespace gpp::omp {\n"
                                  "Sums spy(const Problem&) { return {}; }\n}\n");
    EXPECT_TRUE(contains_all(refusal(folder / "spy.cpp"), {"/etc/passwd"})) << line;
  }
}

}  // namespace
}  // namespace gpp::test
