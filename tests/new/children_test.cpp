// Tests that every copy from `gpp new` is as right as its parent.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "gpp/study/shapes.h"
#include "tests/gpp/subject.h"
#include "tests/variants/compiled.h"

namespace gpp::test {
namespace {

struct Child {
  std::string name;
  const Registration* variant;
  const Runtime* runtime;
};

/// The copies in tests/new/CMakeLists.txt's folders variants/MODEL/.
std::vector<Child> children() {
  std::vector<Child> found;
  for (const Recipe& recipe : gpp_kernel().recipes())
    for (const char* begin : {"child_of_", "guided_"})
      for (const Registration* one : compiled_for(recipe.kind, begin))
        if (std::string(one->file).find("/variants/" + recipe.model + "/") != std::string::npos)
          found.push_back(
              {recipe.model + "_" + file_name(*one) + "_" + recipe.kind, one, recipe.runtime});
  return found;
}

class MadeVariant : public testing::TestWithParam<Child> {};

TEST_P(MadeVariant, IsRight) {
  const Runtime& runtime = *GetParam().runtime;
  const std::string why = runtime.unavailable();
  if (!why.empty()) GTEST_SKIP() << why;
  static const NamedSubjects subjects = subjects_of_odd_shapes({3});
  for (const auto& [name, subject] : subjects) {
    const auto placement = subject->place(runtime);
    runtime.time([&] { placement->run({}, Call(*GetParam().variant)); });
    const Check verdict = placement->check(default_tolerance);
    EXPECT_TRUE(verdict.passed) << name << ": " << verdict.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, MadeVariant, testing::ValuesIn(children()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace gpp::test
