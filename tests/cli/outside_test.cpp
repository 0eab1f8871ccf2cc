// Tests the program with things beyond its control: foreign files, destinations of its output,
// environment variables.
#include <sys/stat.h>

#include <fstream>

#include "tests/cli/command_line.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

class Outside : public CommandLine {
 protected:
  /// Runs the program in a shell, with text before its name and after its arguments.
  static roofline::Finished shell(const std::string& before, const std::string& arguments,
                                  const std::string& behind = "") {
    return roofline::run_program(
        {"sh", "-c", before + " '" GPP_BINARY_DIR "/gpp' " + arguments + " " + behind});
  }
  /// Expects that every command that reads records refuses the one in the folder, and names it.
  void every_reader_refuses(const std::string& part) const {
    const std::string at = path("at");
    for (const std::vector<std::string>& command : {std::vector<std::string>{"report", at},
                                                    {"report", at, "-o", path("page")},
                                                    {"compare", at, at}})
      refuses(command, {"study.json", part});
    succeeded(gpp({"explain", "v7", "--results", folder.string()}));
  }
};

TEST_F(Outside, RecordsAreRegularFilesOfBoundedSizeAndDepth) {
  const fs::path record = folder / "at/study.json";
  write_record(folder, sample_study());
  std::string deep = text(folder / "study.json");
  fs::remove(folder / "study.json");
  fs::create_directory(folder / "at");
  ASSERT_EQ(mkfifo(record.c_str(), 0600), 0);
  every_reader_refuses("not a file but a pipe");
  fs::remove(record);
  fs::create_symlink("/dev/zero", record);
  every_reader_refuses("a device");
  fs::remove(record);
  std::ofstream(record).flush();
  fs::resize_file(record, 500'000'000);
  every_reader_refuses("500 MB are more than any such file has");
  fs::remove(record);
  deep.insert(1, "\"zz\":" + std::string(131000, '[') + std::string(131000, ']') + ",");
  std::ofstream(record) << deep;
  every_reader_refuses("nested more than 64 levels deep");
  ASSERT_EQ(mkfifo(path("a.json").c_str(), 0600), 0);
  fs::create_directory(folder / "t");
  ASSERT_EQ(mkfifo(path("t/trajectory.json").c_str(), 0600), 0);
  refuses({"report", path("t")}, {"trajectory.json: not a file"});
  refuses({"inspect", path("a.json")}, {"not a regular file"});
}

/// A failed write of output must not be a success.
TEST_F(Outside, OutputThatCannotBeWrittenIsAnError) {
  write_record(folder, sample_study());
  const std::string record = folder.string();
  const std::string tiny = "--preset tiny --model serial --repeat 1 --ceilings off --counters off ";
  for (const std::string& command :
       {std::string(), std::string("--help"), std::string("--version"), std::string("list"),
        std::string("list --json"), std::string("doctor"), std::string("doctor --json"),
        std::string("inspect --help"), "generate --preset tiny -o " + path("tiny.dat"),
        "inspect " + path("tiny.dat"), "run v1 " + tiny, "run --json v1 " + tiny,
        std::string("check v1 --model serial --only one_band"),
        "study -o " + path("s") + " " + tiny, "study --json -o " + path("j") + " " + tiny,
        "compare " + record + " " + record, "report " + record, std::string("explain v7")}) {
    const roofline::Finished done = shell("", command, "> /dev/full");
    EXPECT_EQ(done.status, 2) << command << "\n" << done.errors;
    EXPECT_TRUE(contains(done.errors, "gpp: what was printed did not arrive")) << command;
  }
  for (const char* made : {"s", "j"})
    EXPECT_TRUE(read_record(folder / made).complete) << "what was measured is kept all the same";
}

TEST_F(Outside, ThreadsThatNoMachineHasAreRefusedByName) {
  const std::string tiny = " --preset tiny --ceilings off --counters off";
  for (const std::string& command :
       {"study -o " + path("s") + tiny, "run v1" + tiny, std::string("inspect none.dat"),
        std::string("doctor"), std::string("list"),
        std::string("check v1 --model serial --only one_band")}) {
    const roofline::Finished done = shell("OMP_NUM_THREADS=100000", command);
    EXPECT_EQ(done.status, 2) << command;
    EXPECT_TRUE(contains(done.errors, "gpp: OMP_NUM_THREADS asks for 100000 threads")) << command;
  }
  EXPECT_EQ(shell("OMP_NUM_THREADS=100000", "--help").status, 0);
}

TEST_F(Outside, VariablesThatMayChangeResultsStandInTheRecord) {
  const roofline::Finished done = succeeded(shell(
      "OMP_NUM_THREADS=1 GLIBC_TUNABLES=glibc.malloc.arena_max=1 CUDA_CACHE_DISABLE=1",
      "study --preset tiny --model serial --repeat 1 --ceilings off --details -o " + path("s")));
  const auto set = read(folder / "s/study.json")["machine"]["environment"];
  EXPECT_EQ(set["OMP_NUM_THREADS"], "1");
  EXPECT_EQ(set["GLIBC_TUNABLES"], "glibc.malloc.arena_max=1");
  EXPECT_EQ(set["CUDA_CACHE_DISABLE"], "1");
  EXPECT_FALSE(set.contains("HOME"));
  for (const std::string& told : {done.output, text(folder / "s/summary.txt")})
    EXPECT_TRUE(contains_all(told, {"CUDA_CACHE_DISABLE=1", "OMP_NUM_THREADS=1"}));
}

}  // namespace
}  // namespace gpp::test
