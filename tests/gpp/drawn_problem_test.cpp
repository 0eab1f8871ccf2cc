// Tests of problems drawn from secrets: terms change, classes stay, steps stay right.
#include "gpp/drawn_problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gpp/placed_problem.h"
#include "gpp/study/inputs.h"
#include "runtimes/runtime.h"
#include "tests/gpp/subject.h"

namespace gpp {
namespace {

class Drawn : public testing::Test {
 protected:
  PreparedProblem problem{random_input({.name = "some", .half_occupied = 2}, 1)};
  const FactoredProblem& before = problem.view();
  DrawnProblem drawn{before, 17};
  const FactoredProblem& after = drawn.view();
};

TEST_F(Drawn, ChangesEveryTermAndNoModulus) {
  for (int n1 = 0; n1 < before.nbands; ++n1) {
    for (int ig = 0; ig < before.ncouls; ++ig) {
      EXPECT_NE(after.aqsntemp(ig, n1), before.aqsntemp(ig, n1)) << ig << ", " << n1;
      EXPECT_NEAR(norm(after.aqsntemp(ig, n1)) / norm(before.aqsntemp(ig, n1)), 1, 1e-14);
    }
    for (int iw = 0; iw < before.nfreq; ++iw) {
      EXPECT_NE(after.wx_array(iw, n1), before.wx_array(iw, n1));
      EXPECT_EQ(after.wx_array(iw, n1), after.wx_array_t(n1, iw));
    }
  }
  for (int igp = 0; igp < before.ngpown; ++igp)
    EXPECT_NE(after.vcoul_loc(igp), before.vcoul_loc(igp)) << igp;
}

TEST_F(Drawn, AnotherNumberIsAnotherProblem) {
  const DrawnProblem other(before, 18), same(before, 17);
  EXPECT_NE(other.view().aqsntemp(0, 0), after.aqsntemp(0, 0));
  EXPECT_NE(other.view().vcoul_loc(0), after.vcoul_loc(0));
  EXPECT_NE(other.view().wx_array(0, 0), after.wx_array(0, 0));
  EXPECT_EQ(same.view().aqsntemp(0, 0), after.aqsntemp(0, 0));
}

/// The plan of bands stays valid for drawn problems, on every input of `gpp check`.
TEST(DrawnClasses, Stay) {
  for (const AwkwardInput& awkward : awkward_inputs()) {
    const PreparedProblem problem(awkward.make());
    const FactoredProblem& before = problem.view();
    for (const std::uint64_t secret : {1u, 2u, 3u}) {
      const DrawnProblem drawn(before, secret);
      for (int n1 = 0; n1 < before.nbands; ++n1)
        for (int iw = 0; iw < before.nfreq && before.occ_array(n1) != 0; ++iw)
          EXPECT_EQ(std::signbit(drawn.view().wx_array(iw, n1)),
                    std::signbit(before.wx_array(iw, n1)))
              << awkward.name << ", band " << n1;
    }
  }
}

/// The host's steps, including moments and groups, agree with the definition on a drawn problem;
/// earlier sums are wrong.
TEST(DrawnSums, AreThoseOfTheDefinition) {
  const std::unique_ptr<Subject> subject = gpp_kernel().obtain({{}, "small", 1});
  const std::unique_ptr<Placement> placement = subject->place(host_runtime());
  const double tolerance = 1e-10;
  for (const Variant& variant : gpp_kernel().catalog())
    for (const Build& build : variant.builds) {
      if (build.kind != "host") continue;
      placement->vary(0);
      placement->run(variant, build.call);
      EXPECT_TRUE(placement->check(tolerance).passed) << label_of(variant);
      ASSERT_TRUE(placement->draw_anew(5));
      EXPECT_FALSE(placement->check(tolerance).passed) << "nothing is due yet";
      placement->compute_reference();
      EXPECT_FALSE(placement->check(tolerance).passed) << "these are the sums of before";
      placement->run(variant, build.call);
      EXPECT_TRUE(placement->check(tolerance).passed)
          << label_of(variant) << ": " << placement->check(tolerance).reason;
      EXPECT_EQ(placement->repair(), "");
    }
}

TEST(DrawnSums, ATrustedStepTellsWhatIsDue) {
  const std::unique_ptr<Subject> subject = gpp_kernel().obtain({{}, "tiny", 1});
  const std::unique_ptr<Placement> placement = subject->place(host_runtime());
  const Call wrong = call_of(+[](const Problem&) {
    Sums sums{};
    sums.asx[0].re = 1;
    return sums;
  });
  for (const Variant& variant : gpp_kernel().catalog()) {
    if (variant.id != gpp_kernel().trusted || variant.builds.empty()) continue;
    if (variant.builds.front().kind != "host") continue;
    ASSERT_TRUE(placement->draw_anew(7));
    placement->run(variant, variant.builds.front().call);
    placement->trust_last_answer();
    EXPECT_TRUE(placement->check(1e-10).passed);
    placement->run(variant, wrong);
    EXPECT_FALSE(placement->check(1e-10).passed);
    placement->vary(0);
    placement->run(variant, variant.builds.front().call);
    EXPECT_TRUE(placement->check(1e-10).passed) << "the problem itself is back";
    return;
  }
}

}  // namespace
}  // namespace gpp
