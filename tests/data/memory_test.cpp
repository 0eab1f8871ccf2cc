// The estimate of memory against what is really taken, and the refusal.
#include "data/memory.h"

#include <gtest/gtest.h>

#include <limits>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/placed_problem.h"
#include "gpp/prepare.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "runtimes/runtime.h"
#include "tests/data/sample.h"

namespace gpp::testing {
namespace {

template <class Element>
std::int64_t bytes_in(const std::vector<Element>& values) {
  return static_cast<std::int64_t>(values.capacity() * sizeof(Element));
}

/// Everything in memory for an input, its problem and the copy that a host's variants work on; what
/// the first two share counts once.
std::int64_t bytes_taken(const PreparedProblem& problem) {
  const Input& in = problem.input();
  const FactoredProblem& view = problem.view();
  const std::int64_t shared = static_cast<std::int64_t>(
      sizeof(Complex) *
      (view.wtilde_array.count() + view.I_eps_array.count() + view.aqsntemp.count()));
  return bytes_in(in.peinf_indext_dist) + bytes_in(in.wfnkq_ekq) + bytes_in(in.inv_igp_index) +
         bytes_in(in.indinv) + bytes_in(in.aqsmtemp) + bytes_in(in.vcoul) +
         bytes_in(in.wtilde_array) + bytes_in(in.I_eps_array) + bytes_in(in.aqsntemp) +
         2 * bytes_of(view) - shared;
}

TEST(Memory, EstimateHoldsWhatIsTaken) {
  for (const std::string& name : bundled_inputs()) {
    SCOPED_TRACE(name);
    const PreparedProblem problem(read_gpp214(bundled_input(name)));
    const auto estimate = static_cast<double>(memory_estimate(problem.input()));
    const auto taken = static_cast<double>(bytes_taken(problem));
    EXPECT_GE(estimate, taken);
    EXPECT_LE(estimate, 1.05 * taken);
  }
}

TEST(Memory, EstimateNeedsDimensionsOnlyAndSaturates) {
  Input dimensions = sample_input();
  dimensions.wtilde_array.clear();
  EXPECT_EQ(memory_estimate(dimensions), memory_estimate(sample_input()));
  const int huge = std::numeric_limits<int>::max();
  dimensions.ncouls = dimensions.ngpown = dimensions.peinf_ntband_max = huge;
  EXPECT_EQ(memory_estimate(dimensions), std::numeric_limits<std::int64_t>::max());
}

TEST(Memory, TooLittleIsRefusedWithBothNumbers) {
  EXPECT_NO_THROW(roofline::require_memory(1000, "big.dat", 1000));
  try {
    roofline::require_memory(5'600'000'000, "big.dat", 1'200'000'000);
    ADD_FAILURE() << "accepted";
  } catch (const roofline::InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "big.dat: computing it needs 5.6 GB of memory, but 1.2 GB are available. Free some, "
              "use a machine with more, or use a smaller input.");
  }
}

TEST(Memory, ThereIsSome) {
  EXPECT_GT(roofline::available_memory(), 1'000'000);
  EXPECT_LT(roofline::available_memory(), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace gpp::testing
