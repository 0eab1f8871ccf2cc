// Tests of one variant on many inputs, and of processes that fail.
#include "harness/measure/check_inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "gpp/study/kernel.h"
#include "gpp/study/shapes.h"
#include "roofline/base/error.h"
#include "tests/gpp/subject.h"
#include "tests/harness/fake_runtime.h"

namespace gpp {
namespace {

const CheckInput small{"small", "a small one", "nowhere",
                       [] { return test::subject_of(random_input({.name = "small"}, 1)); }};

InputVerdict verdict_of(VariantFunction function) {
  static const test::FakeRuntime runtime;
  const Variant variant = test::make_variant("tried", function, runtime);
  return check_on(small, choose(variant), 1e-10);
}

Sums writes(const Problem& problem) {
  const Sums sums = test::right_sums(problem);
  const_cast<Complex*>(problem.aqsntemp.data)[0].re += 1;
  return sums;
}

/// Always returns the right sums of the first problem.
Sums first_answer(const Problem& problem) {
  static const Sums first = test::right_sums(problem);
  return first;
}

TEST(CheckInputs, FailsWhatIsThrownKeptOrWritten) {
  const InputVerdict right = verdict_of(test::right_sums);
  EXPECT_TRUE(right.check.passed) << right.check.reason;
  EXPECT_EQ(right.name, "small");
  EXPECT_LE(right.check.max_relative_error, 1e-10);
  EXPECT_FALSE(right.spent);

  const InputVerdict thrown = verdict_of(test::throws);
  EXPECT_FALSE(thrown.check.passed);
  EXPECT_TRUE(thrown.spent) << "a device may be unusable after an error";
  EXPECT_EQ(thrown.check.reason, "out of memory on the device");
  EXPECT_TRUE(std::isinf(thrown.check.max_relative_error));

  const InputVerdict kept = verdict_of(first_answer);
  EXPECT_FALSE(kept.check.passed);
  EXPECT_NE(kept.check.reason.find("varied"), std::string::npos) << kept.check.reason;

  const InputVerdict written = verdict_of(writes);
  EXPECT_FALSE(written.check.passed);
  EXPECT_NE(written.check.reason.find("aqsntemp"), std::string::npos) << written.check.reason;
}

TEST(CheckInputs, LinesKeepVerdicts) {
  const InputVerdict bad{"odd", {INFINITY, 1e-10, false, "asx \"is\"\noff"}, true};
  const std::string line = roofline::facts_text(bad);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto back = roofline::read_text<InputVerdict>(line, "a process");
  EXPECT_EQ(back.name, "odd");
  EXPECT_TRUE(std::isinf(back.check.max_relative_error));
  EXPECT_FALSE(back.check.passed);
  EXPECT_TRUE(back.spent);
  for (const char* text : {"", "{", "[]", "{\"name\": 3}", "gpp: oh"})
    EXPECT_THROW(roofline::read_text<InputVerdict>(text, "a process"), roofline::InputError)
        << text;
}

// ---- Processes that end too early ---------------------------------------------------------------

const std::vector<std::string> abc = {"a", "b", "c"};

std::string passed(const std::string& name) {
  return roofline::facts_text(InputVerdict{name, {0, 1, true, ""}}) + "\n";
}

/// The verdicts if the process fails at `at`.
std::vector<InputVerdict> with_bad_end_at(const std::string& at, roofline::Finished end) {
  return check_all(abc, 1e-10, 60, [&](const std::vector<std::string>& inputs) {
    roofline::Finished finished;
    for (const std::string& input : inputs) {
      if (input == at) {
        end.output = finished.output;
        return end;
      }
      finished.output += passed(input);
    }
    return finished;
  });
}

void expect_only_failure(const std::vector<InputVerdict>& verdicts, std::size_t place,
                         const std::string& reason) {
  ASSERT_EQ(verdicts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(verdicts[i].name, abc[i]);
    EXPECT_EQ(verdicts[i].check.passed, i != place) << i;
  }
  EXPECT_EQ(verdicts[place].check.reason, reason);
}

TEST(CheckInputs, ABadEndFailsOneInput) {
  expect_only_failure(with_bad_end_at("a", {139, "", ""}), 0, "crashed (signal 11)");
  expect_only_failure(with_bad_end_at("b", {134, "", ""}), 1, "crashed (signal 6)");
  expect_only_failure(with_bad_end_at("c", {139, "", ""}), 2, "crashed (signal 11)");
  expect_only_failure(with_bad_end_at("b", {137, "", "", true}), 1, "did not end in 60 s");
  expect_only_failure(with_bad_end_at("b", {3, "", ""}), 1, "ended the program (exit status 3)");
  expect_only_failure(with_bad_end_at("b", {0, "", ""}), 1, "ended the program (exit status 0)");
  const auto verdicts = check_all(abc, 1e-10, 60, [](const std::vector<std::string>& inputs) {
    roofline::Finished finished{139, "", ""};
    for (const std::string& input : inputs) finished.output += passed(input);
    return finished;
  });
  expect_only_failure(verdicts, 2, "crashed (signal 11)");
}

TEST(CheckInputs, ASpentProcessIsReplacedAndNobodyElseBlamed) {
  int processes = 0;
  const auto verdicts = check_all(abc, 1e-10, 60, [&](const std::vector<std::string>& inputs) {
    ++processes;
    roofline::Finished finished;
    for (const std::string& input : inputs) {
      if (input != "a") {
        finished.output += passed(input);
        continue;
      }
      finished.output =
          roofline::facts_text(InputVerdict{"a", {1, 1e-10, false, "refused"}, true}) + "\n";
      break;
    }
    return finished;
  });
  expect_only_failure(verdicts, 0, "refused");
  EXPECT_EQ(processes, 2);
}

TEST(CheckInputs, AVerdictThatNobodyAskedForIsNoVerdict) {
  for (const std::string& forged : {passed("b"), passed("a") + passed("a"),
                                    passed("a") + passed("b") + passed("c") + passed("c")})
    EXPECT_THROW(check_all(abc, 1e-10, 60,
                           [&](const std::vector<std::string>&) {
                             return roofline::Finished{139, forged, ""};
                           }),
                 roofline::InputError)
        << forged;
  EXPECT_THROW(check_all(abc, 1e-10, 60,
                         [](const std::vector<std::string>&) {
                           return roofline::Finished{1, "", "gpp: no device"};
                         }),
               std::runtime_error);
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
