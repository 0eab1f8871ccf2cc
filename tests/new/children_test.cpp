// What `gpp new` makes of every variant is as right as its parent.
#include "children.h"

#include <gtest/gtest.h>

#include <ostream>

#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "harness/rules/check.h"
#include "tests/variants/problems.h"

namespace gpp::test {

void PrintTo(const Child& child, std::ostream* out) { *out << child.name; }

namespace {

class MadeVariant : public testing::TestWithParam<Child> {};

TEST_P(MadeVariant, IsRight) {
  const Runtime& runtime = GetParam().runtime();
  const std::string why = runtime.unavailable();
  if (!why.empty()) GTEST_SKIP() << why;
  for (const Shape& shape : odd_shapes()) {
    const PreparedProblem problem(random_input(shape, 3));
    const Sums sums = runtime.place(problem)->run(GetParam().function).sums;
    const Check verdict =
        check(sums, compute_reference(problem.view()), problem.view().nfreq, default_tolerance);
    EXPECT_TRUE(verdict.passed) << shape.name << ": " << verdict.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, MadeVariant, testing::ValuesIn(children()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace gpp::test
