// gpp study --kernel all: a study of each kernel, in a folder of its own.
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/kernel.h"
#include "harness/record/record.h"
#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

Finished study(Texts arguments) {
  arguments.insert(arguments.begin(), {GPP_BINARY_DIR "/gpp", "study", "--kernel", "all"});
  return run_program(arguments);
}

void expect_a_study_of_each(const Texts& options) {
  const TemporaryFolder temporary;
  const auto all = temporary.path() / "all";
  Texts arguments = {"--quick", "--device", "host", "--ceilings",
                     "off",     "--json",   "-o",   all.string()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Finished done = succeeded(study(arguments));
  std::istringstream lines(done.output);
  for (const Kernel* kernel : kernels()) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line)) << "a record a line: " << kernel->name;
    EXPECT_EQ(nlohmann::json::parse(line)["kernel"], kernel->name);
    const StudyRecord record = read_record(all / kernel->name);
    EXPECT_TRUE(record.complete);
    EXPECT_EQ(record.kernel, kernel->name);
    EXPECT_TRUE(contains(record.input.path, "preset " + kernel->quick_preset));
    std::size_t timed = 0;
    for (const Result& result : record.results) timed += result.timed() ? 1 : 0;
    EXPECT_GT(timed, 0U) << kernel->name;
    EXPECT_TRUE(std::filesystem::exists(all / kernel->name / "report.html"));
  }
}

TEST(AllKernels, AreStudiedQuicklyEachInAFolderOfItsOwn) {
  expect_a_study_of_each({"--counters", "source", "--time-limit", "0.5"});
}

/// As a user does it: timed as long as --quick allows.
TEST(AllKernels, AreTracedAndTimedInFull) { expect_a_study_of_each({}); }

TEST(AllKernels, RefuseWhatIsOfOneOfThem) {
  const auto refuses = [](const Texts& arguments, const std::string& part) {
    const Finished done = ended(study(arguments), 2);
    EXPECT_TRUE(contains(done.errors, part)) << done.errors;
  };
  refuses({"--only", "v7"}, "--input, --only and --ladder are of one kernel");
  refuses({"--input", "a.dat"}, "--input, --only and --ladder are of one kernel");
  refuses({"--ladder", "sc19"}, "--input, --only and --ladder are of one kernel");
  refuses({"--preset", "gpp214"}, "the kernel stream has none of the name 'gpp214'");
  refuses({"--quick", "--preset", "tiny"}, "--preset");
}

}  // namespace
}  // namespace gpp::test
