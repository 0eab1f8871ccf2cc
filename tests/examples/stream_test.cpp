// Tests of the stream kernels: their work, and faulty variants.
#include <algorithm>

#include "examples/stream/kernel.h"
#include "tests/examples/builds.h"

namespace gpp::stream {
namespace {

TEST(Stream, EveryVariantStatesItsWork) {
  for (const Variant& variant : catalog()) {
    const auto work = work_of(variant);
    ASSERT_TRUE(work) << variant.source << ": " << variant.operations;
    EXPECT_TRUE(computation_of(*work)) << variant.source;
  }
  EXPECT_GE(catalog().size(), 17U * 2);
}

/// One file per model holds all members.
TEST(Stream, MembersOfAFamilyAreVariants) {
  int members = 0;
  for (const Variant& variant : catalog()) {
    if (!variant.step.starts_with("sweep_")) continue;
    ++members;
    EXPECT_EQ(variant.id, variant.step);
    EXPECT_TRUE(variant.source.starts_with("examples/stream/" + variant.model + "/chains."));
    const auto work = work_of(variant);
    ASSERT_TRUE(work) << variant.operations;
    EXPECT_EQ(work->operations, 2 * std::stoi(variant.step.substr(6))) << variant.step;
  }
  EXPECT_EQ(members, 2 * 11);
}

TEST(Stream, WorkThatNothingHasIsRefused) {
  for (const char* line :
       {"", "2 fp32", "2 fp16 per element; 4 bytes", "x fp32 per element; 4 bytes"})
    EXPECT_FALSE(examples::stated_work(line, "element")) << line;
  EXPECT_FALSE(computation_of({3, false, 4}));
  EXPECT_FALSE(computation_of({1, true, 12}));
  EXPECT_EQ(computation_of({2, true, 8}), Computation::chain);
}

TEST(Stream, AVariantWithoutStatedWorkFailsWithAReason) {
  const auto subject = make_subject("test", {100, 7}, 1);
  Variant variant = test::on_hosts(catalog(), "add");
  variant.operations = "";
  const auto placement = subject->place(*variant.builds.front().runtime);
  placement->run(variant, variant.builds.front().call);
  const Check verdict = placement->check(1);
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.reason, subject->count(variant).unknown);
  EXPECT_TRUE(verdict.reason.starts_with(variant.source));
}

// Faulty variants, each with its source line.

void right(const Arrays& arrays) {
  for (long long i = 0; i < arrays.n; ++i) arrays.c[i] = arrays.a[i] + arrays.b[i];
}
void forgets_the_last(const Arrays& arrays) {
  for (long long i = 0; i + 1 < arrays.n; ++i) arrays.c[i] = arrays.a[i] + arrays.b[i];
}
void does_nothing(const Arrays& /*arrays*/) {}
void writes_to_its_input(const Arrays& arrays) {
  right(arrays);
  const_cast<float*>(arrays.a)[0] = 2;
}
void keeps_its_first_result(const Arrays& arrays) {
  static std::vector<float> kept;
  if (kept.size() != static_cast<std::size_t>(arrays.n)) {
    right(arrays);
    kept.assign(arrays.c, arrays.c + arrays.n);
  }
  std::copy(kept.begin(), kept.end(), arrays.c);
}

TEST(Stream, FaultsAreCaught) {
  test::expect_only_right_passes(
      stream_kernel(), "add", *make_subject("test", {5000, 64}, 1), right,
      {forgets_the_last, does_nothing, writes_to_its_input, keeps_its_first_result});
}

}  // namespace
}  // namespace gpp::stream
