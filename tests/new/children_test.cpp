// Tests that every copy from `gpp new` is as right as its parent.
#include "children.h"

#include <gtest/gtest.h>

#include <ostream>

#include "gpp/study/check.h"
#include "gpp/study/shapes.h"
#include "tests/gpp/subject.h"

namespace gpp::test {

void PrintTo(const Child& child, std::ostream* out) { *out << child.name; }

namespace {

class MadeVariant : public testing::TestWithParam<Child> {};

TEST_P(MadeVariant, IsRight) {
  const Runtime& runtime = GetParam().runtime();
  const std::string why = runtime.unavailable();
  if (!why.empty()) GTEST_SKIP() << why;
  static const NamedSubjects subjects = subjects_of_odd_shapes({3});
  for (const auto& [name, subject] : subjects) {
    const auto placement = subject->place(runtime);
    runtime.time([&] { placement->run({}, GetParam().call); });
    const Check verdict = placement->check(default_tolerance);
    EXPECT_TRUE(verdict.passed) << name << ": " << verdict.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, MadeVariant, testing::ValuesIn(children()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace gpp::test
