// Tests that presets give usable inputs, equal on every machine, with the properties of real ones.
#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <numeric>
#include <span>

#include "data/generate.h"
#include "data/gpp214.h"
#include "data/validate.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "roofline/base/files.h"
#include "roofline/base/parallel.h"
#include "roofline/base/text.h"
#include "tests/generate/one_core.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

// ---- The presets are there, have the published dimensions and give inputs that can be used.

Preset preset(const std::string& name) {
  const Preset* found = find_preset(name);
  if (found == nullptr) throw std::runtime_error("no preset " + name);
  return *found;
}

TEST(Presets, HaveThePublishedDimensions) {
  const Preset gpp214 = preset("gpp214");
  EXPECT_EQ((std::array{gpp214.ncouls, gpp214.ngpown, gpp214.sig_ntband, gpp214.ntband_dist,
                        gpp214.nvband, gpp214.nstart, gpp214.nend}),
            (std::array{11075, 1385, 6397, 800, 428, 2, 3}));
  EXPECT_EQ(gpp214.terms(), 24542200000);
  const Preset si510 = preset("si510");
  EXPECT_EQ((std::array{si510.ncouls, si510.ngpown, si510.ntband_dist, si510.nfreq()}),
            (std::array{26529, 6633, 2763, 3}));
  EXPECT_EQ(preset("medium").terms(), 62055936);
  EXPECT_LE(preset("tiny").ncouls, 40);
  EXPECT_EQ(find_preset("nosuch"), nullptr);
  for (const Preset& one : presets()) {
    EXPECT_FALSE(one.name.empty() || one.description.empty()) << one.name;
    EXPECT_EQ(find_preset(one.name), &one) << "two presets named " << one.name;
  }
}

// A large preset with few G' and bands, and all else unchanged.
Preset thin(Preset preset) {
  if (preset.terms() < 100'000'000) return preset;
  preset.g_ranks = preset.ncouls / 3;
  preset.ngpown = 3;
  preset.ntband_dist = 5;
  return preset;
}

class EveryPreset : public testing::TestWithParam<std::string> {};

TEST_P(EveryPreset, IsValidSurvivesTheFileAndCarriesItsReference) {
  const auto input = std::make_shared<const Input>(generate(thin(preset(GetParam()))));
  ASSERT_NO_THROW(validate(*input, GetParam()));
  const TemporaryFolder folder;
  write_gpp214(folder / "generated.dat", *input);
  EXPECT_EQ(sha256_of(read_gpp214(folder / "generated.dat")), sha256_of(*input));
  EXPECT_EQ(roofline::sha256_of_file(folder / "generated.dat"), sha256_of(*input));
  const Sums sums = compute_reference(PreparedProblem(input).view()).sums;
  for (int iw = 1; iw <= 3; ++iw) {
    const auto slot = static_cast<std::size_t>(iw - 1);
    const bool inside = iw >= input->nstart && iw <= input->nend;
    EXPECT_EQ(input->asxtemp[slot], Complex{});
    EXPECT_EQ(input->achtemp[slot], Complex{});
    EXPECT_EQ(input->asxtempref[slot], inside ? sums.asx[iw - input->nstart] : Complex{});
    EXPECT_EQ(input->achtempref[slot], inside ? sums.ach[iw - input->nstart] : Complex{});
    EXPECT_EQ(inside, input->achtempref[slot].re != 0.0 && input->achtempref[slot].im != 0.0);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Preset& one : presets()) all.push_back(one.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Presets, EveryPreset, testing::ValuesIn(names()),
                         [](const auto& parameter) { return parameter.param; });

TEST(Presets, OddDimensionsWork) {
  Preset odd = preset("tiny");
  odd.ncouls = odd.ngpown = odd.ntband_dist = odd.sig_ntband = odd.nvband = 1;
  odd.nstart = odd.nend = 3;
  EXPECT_NO_THROW(validate(generate(odd), "one of everything"));
  odd.ncouls = 33;
  odd.ngpown = 5;
  odd.g_ranks = 8;
  odd.nstart = 1;
  odd.sig_ntband = 9;
  odd.ntband_dist = 7;
  odd.nvband = 9;  // all bands are occupied
  EXPECT_NO_THROW(validate(generate(odd), "odd"));
}

TEST(Presets, TooLittleMemoryIsRefused) {
  Preset large = preset("tiny");
  large.ncouls = large.ngpown = 9'000'000;
  EXPECT_TRUE(contains(thrown<roofline::InputError>([&large] { generate(large); }), "memory"));
}

// ---- A preset and a seed give the same bits with every machine, compiler and number of cores.

std::string hash_of(const char* preset, std::uint64_t seed, bool with_reference = true) {
  return sha256_of(generate(*find_preset(preset), seed, with_reference));
}

// The hashes of the files from `gpp generate --preset NAME`. Published results identify inputs by
// these hashes, so they may change only on purpose, together with the generator or
// reference_definition (gpp/reference.h), which affects the last bits of records 17 and 18.
TEST(Reproducible, PinnedHashesAlsoOnOneCore) {
  for (const auto& [name, seed, hash] :
       {std::tuple("tiny", 1, "ce1f17fb29c769edec073335890a27d3505c05b82992c324c2806870cfbe8109"),
        {"small", 1, "5be430e9eb28c5551249a9aaa362d9be65dbf4b50ef398e889c9aeafd786dd66"},
        {"complex_poles", 1, "146335960bdc76dee972ec0a22e7c23f9d3c90f4faebe7b23485ccb212dba26a"},
        {"offdiagonal", 7, "c6eccaf1da8f05428dca85a2415b2d9868bd5eec58724a935fe9aa7a0d4546e2"}})
    EXPECT_EQ(hash_of(name, static_cast<std::uint64_t>(seed)), hash);
  for (const std::uint64_t other : {0, 2}) EXPECT_NE(hash_of("tiny", 1), hash_of("tiny", other));
  const std::string here = hash_of("small", 5);
  const OneCore one_core;
  ASSERT_EQ(roofline::available_cores(), 1);
  EXPECT_EQ(hash_of("small", 5), here);
}

/// Every number of every preset, without the reference. Matrix elements, poles and energies were
/// held against those of real inputs when these were kept; likeness_test.cpp does so for their
/// figures.
TEST(Reproducible, EveryPresetIsAsItIsKept) {
  std::string text;
  for (const Preset& one : presets())
    text += one.name + " " + sha256_of(generate(thin(one), default_seed, false)) + "\n";
  expect_kept("generate/presets.txt", text);
}

/// A progress callback does not change the input either. Progress grows to 1.
TEST(Reproducible, ReferenceChangesNothingElse) {
  double last = 0;
  bool grows = true;
  Input with = generate(*find_preset("tiny"), 3, true, [&](double done) {
    grows = grows && done >= last && done <= 1.0;
    last = done;
  });
  EXPECT_TRUE(grows);
  EXPECT_EQ(last, 1.0);
  const Input without = generate(*find_preset("tiny"), 3, false);
  EXPECT_NE(sha256_of(with), sha256_of(without));
  EXPECT_EQ(without.asxtempref, (std::array<Complex, 3>{}));
  EXPECT_EQ(without.achtempref, (std::array<Complex, 3>{}));
  with.asxtempref = {};
  with.achtempref = {};
  EXPECT_EQ(sha256_of(with), sha256_of(without));
}

TEST(Reproducible, ParallelLoopRunsEveryIterationOnceAndReportsFailure) {
  std::vector<std::atomic<int>> calls(1000);
  double last = -1;
  roofline::parallel_for(
      1000, [&](int i) { ++calls[static_cast<std::size_t>(i)]; },
      [&](double done) { last = done; });
  for (const auto& count : calls) EXPECT_EQ(count, 1);
  EXPECT_LE(last, 1.0);
  EXPECT_THROW(roofline::parallel_for(10,
                                      [](int i) {
                                        if (i == 3) throw std::runtime_error("three");
                                      }),
               std::runtime_error);
  roofline::parallel_for(0, [](int) { FAIL(); });
}

// ---- Properties that every generated input has exactly, whatever the random numbers.

Input make(const Preset& preset) { return generate(preset, default_seed, false); }

Complex element(const Input& input, const std::vector<Complex>& array, int ig, int column) {
  return array[static_cast<std::size_t>(ig) +
               static_cast<std::size_t>(input.ncouls) * static_cast<std::size_t>(column)];
}

TEST(Structure, VectorsArePermutedAndDealtRoundRobin) {
  const Input whole = make(preset("small"));
  const auto listed = std::span(whole.indinv).first(static_cast<std::size_t>(whole.ncouls));
  std::vector<std::int32_t> expected(listed.size());
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_FALSE(std::ranges::is_sorted(listed));
  EXPECT_TRUE(std::ranges::is_permutation(listed, expected));
  EXPECT_EQ(std::ranges::count(whole.indinv, 0), whole.gvec_ng - whole.ncouls);

  Preset third = preset("small");
  third.g_ranks = 3;
  third.ngpown = 46;
  const Input input = make(third);
  for (int igp = 0; igp < 46; ++igp) {
    EXPECT_EQ(input.inv_igp_index[static_cast<std::size_t>(igp)], 1 + 3 * igp);
    for (int ig = 0; ig < input.ncouls; ++ig)  // the same number with any division into ranks
      ASSERT_EQ(element(input, input.I_eps_array, ig, igp),
                element(whole, whole.I_eps_array, ig, 3 * igp));
  }
}

TEST(Structure, BandsAreThoseOfABandEdgeState) {
  for (const char* name : {"tiny", "small", "medium"}) {
    const PreparedProblem problem(make(preset(name)));
    const Input& input = problem.input();
    EXPECT_TRUE(std::is_sorted(input.wfnkq_ekq.begin(), input.wfnkq_ekq.end()));
    EXPECT_EQ(problem.view().occupied_bands.size, input.nvband) << name;  // all have wx > 0
    EXPECT_EQ(problem.view().exceptional_bands.size, 0) << name;
    EXPECT_EQ(problem.view().empty_bands.size, input.sig_ntband - input.nvband) << name;
    EXPECT_TRUE(problem.view().real_poles);
  }
}

TEST(Structure, MetalHasHalfOccupiedBandsAndNegativeEnergiesAmongOccupiedOnes) {
  const PreparedProblem problem(make(preset("metal")));
  const FactoredProblem& view = problem.view();
  int half = 0, full_negative = 0;
  for (int n1 = 0; n1 < view.nbands; ++n1) {
    half += view.occ_array(n1) == 0.5;
    full_negative += view.occ_array(n1) == 1.0 && view.wx_array(0, n1) < 0.0;
  }
  EXPECT_GE(half, 1);
  EXPECT_GE(full_negative, 1);
  EXPECT_GE(view.exceptional_bands.size, half + full_negative);
  EXPECT_GE(view.occupied_bands.size, 1);
}

}  // namespace
}  // namespace gpp::test
