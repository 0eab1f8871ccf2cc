// Tests of every build of every example's variants on the awkward inputs of its kernel, and of what
// seeds do to inputs.
#include <nlohmann/json.hpp>

#include "examples/epsilon/kernel.h"
#include "examples/smith_waterman/kernel.h"
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

/// Inputs beside the awkward ones.
std::vector<std::unique_ptr<Subject>> more_inputs(const Kernel& kernel) {
  std::vector<std::unique_ptr<Subject>> inputs;
  if (kernel.name == "epsilon")
    for (const int bands : {2, 7, 8, 9, 16, 65})
      inputs.push_back(epsilon::example().make("bands", {bands, 20, 50}, 3));
  if (kernel.name != "smith_waterman") return inputs;

  using smith_waterman::Kinship, smith_waterman::Scoring;
  const auto add = [&](const smith_waterman::Size& size, std::uint64_t seed) {
    inputs.push_back(smith_waterman::example().make("pairs", size, seed));
  };
  // Neighbouring letters matter, so many small problems find more faults than a large one.
  for (int seed = 0; seed < 20; ++seed) add({1 + seed * 7 % 80, 1, 10 + seed * 12}, seed);
  // The largest 16-bit numbers, and larger ones, which variants treat differently, and as many
  // pairs and letters as waves can hold.
  for (const Scoring& scoring : {Scoring{127, -128, 300, 5},
                                 {127, -128, 16'384, 16'256},
                                 {127, -128, 16'384, 16'257},
                                 {127, -128, 16'384, 16'383},
                                 {127, -128, 32'767, 0},
                                 {127, -128, 32'767, 32'767}})
    for (const int length : {100, 252, 257, 258, 259, 300})
      add({32, length, length, Kinship::twins, scoring}, 3);
  // A mismatch costs more than a gap in each sequence, so vertical and horizontal gaps meet.
  for (const Scoring& scoring : {Scoring{5, -100, 1, 1}, {20, -128, 3, 0}, {9, -60, 8, 1}})
    for (int seed = 0; seed < 4; ++seed) add({48, 30, 200, Kinship::relatives, scoring}, seed);
  return inputs;
}

class ExampleBuild : public RunsBuild {};

TEST_P(ExampleBuild, IsRightOnAwkwardInputs) {
  const Kernel& kernel = *GetParam().kernel;
  for (const CheckInput& input : kernel.check_inputs())
    if (input.name != quick_preset) expect_right(GetParam(), kernel, *input.make());
  for (const auto& input : more_inputs(kernel)) expect_right(GetParam(), kernel, *input);
}

/// Inputs differ by their seed alone; another seed varies a problem, and seed 0 restores it.
TEST_P(ExampleBuild, SeedsMakeAndVaryInputs) {
  const TestedBuild& tested = GetParam();
  const auto answers = [&](std::uint64_t seed) {
    const auto subject = tested.kernel->obtain({{}, "tiny", seed});
    const auto placement = subject->place(*tested.build.runtime);
    std::vector<Json> all = {subject->input().sha256};
    for (const std::uint64_t varied : {0, 1, 2, 0}) {
      placement->vary(varied);
      placement->run(tested.variant, tested.build.call);
      all.push_back(placement->answer());
    }
    return all;
  };
  const std::vector<Json> one = answers(1), other = answers(2);
  EXPECT_EQ(one, answers(1));
  EXPECT_NE(one[0], other[0]);
  EXPECT_NE(one[1], other[1]);
  EXPECT_NE(one[1], one[2]);
  EXPECT_NE(one[2], one[3]);
  EXPECT_EQ(one[1], one[4]);
}

INSTANTIATE_TEST_SUITE_P(Catalog, ExampleBuild, testing::ValuesIn(builds_of_examples()),
                         name_of_build);

}  // namespace
}  // namespace gpp::test
