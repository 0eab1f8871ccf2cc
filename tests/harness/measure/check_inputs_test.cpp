// One variant on many inputs, and processes that do not come back.
#include "harness/measure/check_inputs.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstdlib>

#include "gpp/study/kernel.h"
#include "gpp/study/shapes.h"
#include "tests/gpp/subject.h"
#include "tests/harness/fake_runtime.h"

namespace gpp {
namespace {

const CheckInput small{"small", "a small one", "nowhere",
                       [] { return test::subject_of(random_input({.name = "small"}, 1)); }};

const CheckInput behind{"behind", "another", "", small.make};

/// On the small one, from a fork: no catalog has the variant.
Check verdict_of(VariantFunction function) {
  static const test::FakeRuntime runtime;
  const Variant variant = test::make_variant("tried", function, runtime);
  const std::vector<Check> verdicts = check_on({small, behind}, choose(variant), {1e-10, 2});
  EXPECT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts.back().passed, verdicts.front().passed);
  return verdicts.front();
}

Sums writes(const Problem& problem) {
  const Sums sums = test::right_sums(problem);
  const_cast<Complex*>(problem.aqsntemp.data)[0].re += 1;
  return sums;
}

/// The right sums of the first problem that it saw.
Sums first_answer(const Problem& problem) {
  static const Sums first = test::right_sums(problem);
  return first;
}

Sums crashes(const Problem&) { std::abort(); }
Sums ends(const Problem&) { _exit(3); }
Sums hangs(const Problem&) {
  for (;;) pause();
}

TEST(CheckInputs, FailsWhatIsThrownKeptOrWritten) {
  const Check right = verdict_of(test::right_sums);
  EXPECT_TRUE(right.passed) << right.reason;
  EXPECT_LE(right.max_relative_error, 1e-10);

  const Check thrown = verdict_of(test::throws);
  EXPECT_FALSE(thrown.passed);
  EXPECT_EQ(thrown.reason, "out of memory on the device");
  EXPECT_TRUE(std::isinf(thrown.max_relative_error));

  const Check kept = verdict_of(first_answer);
  EXPECT_FALSE(kept.passed);
  EXPECT_NE(kept.reason.find("varied"), std::string::npos) << kept.reason;

  const Check written = verdict_of(writes);
  EXPECT_FALSE(written.passed);
  EXPECT_NE(written.reason.find("aqsntemp"), std::string::npos) << written.reason;
}

TEST(CheckInputs, ABadEndIsNamedAndTheNextInputIsTried) {
  EXPECT_EQ(verdict_of(crashes).reason, "crashed (signal 6)");
  EXPECT_EQ(verdict_of(ends).reason, "ended the program (exit status 3)");
  EXPECT_EQ(verdict_of(hangs).reason, "did not end in 2 s");
}

// ---- The kernels' lists -------------------------------------------------------------------------

TEST(CheckInputs, OfEveryKernelHaveDifferentNamesAndAMeaning) {
  for (const Kernel* kernel : kernels()) {
    ASSERT_NE(kernel->check_inputs, nullptr) << kernel->name;
    std::vector<std::string> names;
    for (const CheckInput& input : kernel->check_inputs()) {
      EXPECT_FALSE(input.meaning.empty()) << input.name;
      EXPECT_EQ(input.name.find(','), std::string::npos) << "names are joined by commas";
      names.push_back(input.name);
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << kernel->name;
    EXPECT_GT(names.size(), 5u) << kernel->name;
  }
}

}  // namespace
}  // namespace gpp
