// Tests of every build of every example's variants on the awkward inputs of its kernel.
#include "tests/examples/builds.h"

namespace gpp::test {
namespace {

std::vector<TestedBuild> builds_of_examples() {
  std::vector<TestedBuild> all;
  for (const Kernel* kernel : kernels())
    if (kernel->name != "gpp")
      for (const TestedBuild& one : builds_of(kernel->catalog()))
        all.push_back({kernel->name + "_" + one.name, one.variant, one.build, kernel});
  return all;
}

class ExampleBuild : public RunsBuild {};

TEST_P(ExampleBuild, IsRightOnAwkwardInputs) {
  const Kernel& kernel = *GetParam().kernel;
  for (const CheckInput& input : kernel.check_inputs())
    if (input.name != quick_preset) expect_right(GetParam(), kernel, *input.make());
}

INSTANTIATE_TEST_SUITE_P(Catalog, ExampleBuild, testing::ValuesIn(builds_of_examples()),
                         name_of_build);

}  // namespace
}  // namespace gpp::test
