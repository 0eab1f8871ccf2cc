// The small other problems must be sound, and hold every case.
#include "gpp/study/decoy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/statistics.h"
#include "data/validate.h"
#include "gpp/forms/factored.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "tests/harness/faulty.h"

namespace gpp {
namespace {

TEST(Decoy, IsAConsistentInput) {
  for (const Input& decoy : decoys()) EXPECT_NO_THROW(validate(decoy, "decoy"));
}

TEST(Decoy, HasSizesThatAreOddAndNoMultiples) {
  for (const Input& decoy : decoys()) {
    EXPECT_EQ(decoy.nfreq(), 3);
    EXPECT_GT(decoy.ngpown, 8);
    for (const int size : {decoy.ncouls, decoy.ngpown, decoy.peinf_ntband_dist})
      EXPECT_EQ(size % 2, 1) << size;
    EXPECT_LT(decoy.terms(), 200'000) << "it is run many times";
  }
}

TEST(Decoy, HasEveryKindOfBand) {
  for (const Input& input : decoys()) {
    const PreparedProblem decoy{Input(input)};
    const FactoredProblem& view = decoy.view();
    EXPECT_GT(view.empty_bands.size, 0);
    EXPECT_GT(view.occupied_bands.size, 0);
    EXPECT_GT(view.exceptional_bands.size, 0);
    const double* occ = view.occ_array.data;
    for (const double value : {0.0, 0.5, 1.0})
      EXPECT_GT(std::count(occ, occ + view.nbands, value), 0) << value;
    const double* wx = view.wx_array.data;
    EXPECT_GT(std::count(wx, wx + view.wx_array.count(), TOL_Zero), 0) << "wx = 0";
  }
}

TEST(Decoy, HasEveryKindOfPole) {
  const std::vector<Input> both = decoys();
  const auto share = [](const Input& input, auto is_one) {
    const auto& poles = input.wtilde_array;
    return static_cast<double>(std::count_if(poles.begin(), poles.end(), is_one)) /
           static_cast<double>(poles.size());
  };
  for (const Input& input : both) {
    const Limits limits = make_limits(input.sig_gamma, input.sexcut);
    EXPECT_GT(share(input, [](Complex w) { return w == Complex{}; }), 0.0);
    EXPECT_GT(share(input, [](Complex w) { return w.re == 1e12; }), 0.0);
    EXPECT_GT(share(input, [&](Complex w) { return is_tiny(w, limits); }), 0.0);
    EXPECT_TRUE(PreparedProblem{Input(input)}.view().resonant_poles);
  }
  EXPECT_TRUE(PreparedProblem{Input(both[0])}.view().real_poles);
  EXPECT_GT(share(both[1], [](Complex w) { return w.im != 0.0 && w.re != 0.0; }), 0.1);
  EXPECT_GT(share(both[1], [](Complex w) { return w.im != 0.0 && w.re == 0.0; }), 0.0);
}

TEST(Decoy, HasNoTies) {
  for (const Input& decoy : decoys())
    EXPECT_EQ(compute_reference(PreparedProblem{Input(decoy)}.view()).tied_terms, 0)
        << "rounding must not excuse anything";
}

/// Whatever the input studied holds: each fault of the loop fails on one of the two.
TEST(Decoy, CatchesEveryFaultOfTheLoop) {
  std::vector<std::unique_ptr<PreparedProblem>> problems;
  std::vector<Reference> references;
  for (Input& input : decoys()) {
    problems.push_back(std::make_unique<PreparedProblem>(std::move(input)));
    references.push_back(compute_reference(problems.back()->view()));
  }
  const auto caught = [&](VariantFunction function) {
    for (std::size_t i = 0; i < problems.size(); ++i)
      if (!check(function(problems[i]->view()), references[i], 3, default_tolerance).passed)
        return true;
    return false;
  };
  EXPECT_FALSE(caught(test::right_sums));
  const std::vector<std::string> sequences = {"previous_result", "first_result", "not_cleared",
                                              "wrong_now_and_then", "kept_by_address"};
  for (const test::FaultyVariant& faulty : test::faulty_variants()) {
    if (std::find(sequences.begin(), sequences.end(), faulty.fault) != sequences.end()) continue;
    EXPECT_TRUE(caught(faulty.function)) << faulty.fault;
  }
}

}  // namespace
}  // namespace gpp
