// The presets are there, have the published dimensions and give inputs that can be used.

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <memory>

#include "data/generate.h"
#include "data/gpp214.h"
#include "data/sha256.h"
#include "data/validate.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "roofline/base/error.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

Preset preset(const char* name) {
  const Preset* found = find_preset(name);
  if (found == nullptr) throw std::runtime_error(std::string("no preset ") + name);
  return *found;
}

TEST(Presets, HaveThePublishedDimensions) {
  const Preset gpp214 = preset("gpp214");
  EXPECT_EQ(gpp214.ncouls, 11075);
  EXPECT_EQ(gpp214.ngpown, 1385);
  EXPECT_EQ(gpp214.sig_ntband, 6397);
  EXPECT_EQ(gpp214.ntband_dist, 800);
  EXPECT_EQ(gpp214.nvband, 428);
  EXPECT_EQ(gpp214.nstart, 2);
  EXPECT_EQ(gpp214.nend, 3);
  EXPECT_EQ(gpp214.terms(), 24542200000);

  const Preset si510 = preset("si510");
  EXPECT_EQ(si510.ncouls, 26529);
  EXPECT_EQ(si510.ngpown, 6633);
  EXPECT_EQ(si510.ntband_dist, 2763);
  EXPECT_EQ(si510.nfreq(), 3);

  EXPECT_EQ(preset("medium").terms(), 62055936);
  EXPECT_LE(preset("tiny").ncouls, 40);
  EXPECT_EQ(find_preset("nosuch"), nullptr);
}

TEST(Presets, HaveNamesAndDescriptions) {
  for (const Preset& one : presets()) {
    EXPECT_FALSE(one.name.empty());
    EXPECT_FALSE(one.description.empty()) << one.name;
    EXPECT_EQ(find_preset(one.name), &one) << "two presets named " << one.name;
  }
}

// The large presets with a few G' and bands: everything else stays.
Preset thin(Preset preset) {
  if (preset.terms() < 100'000'000) return preset;
  preset.g_ranks = preset.ncouls / 3;
  preset.ngpown = 3;
  preset.ntband_dist = 5;
  return preset;
}

class EveryPreset : public testing::TestWithParam<std::string> {};

TEST_P(EveryPreset, IsValidAndSurvivesTheFile) {
  const Input input = generate(thin(preset(GetParam().c_str())));
  ASSERT_NO_THROW(validate(input, GetParam()));
  const test::TemporaryFolder folder;
  const auto path = folder / "generated.dat";
  write_gpp214(path, input);
  EXPECT_EQ(sha256_of(read_gpp214(path)), sha256_of(input));
  EXPECT_EQ(sha256_of_file(path), sha256_of(input));
}

TEST_P(EveryPreset, CarriesItsReference) {
  const auto input = std::make_shared<const Input>(generate(thin(preset(GetParam().c_str()))));
  const Sums sums = compute_reference(PreparedProblem(input).view()).sums;
  for (int iw = 1; iw <= 3; ++iw) {
    const auto slot = static_cast<std::size_t>(iw - 1);
    const int iw_stored = iw - input->nstart;
    const bool inside = iw >= input->nstart && iw <= input->nend;
    const Complex asx = inside ? sums.asx[iw_stored] : Complex{};
    const Complex ach = inside ? sums.ach[iw_stored] : Complex{};
    EXPECT_EQ(input->asxtemp[slot], Complex{});
    EXPECT_EQ(input->achtemp[slot], Complex{});
    EXPECT_EQ(input->asxtempref[slot], asx);
    EXPECT_EQ(input->achtempref[slot], ach);
    EXPECT_EQ(inside, ach.re != 0.0 && ach.im != 0.0);
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
  odd.nvband = 9;  // every band occupied
  EXPECT_NO_THROW(validate(generate(odd), "odd"));
}

// Changes one thing in `tiny` and expects a refusal that names it.
template <class Change>
void expect_refusal(const std::string& what, Change change) {
  Preset wrong = preset("tiny");
  change(wrong);
  try {
    generate(wrong);
    FAIL() << "not refused: " << what;
  } catch (const roofline::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

TEST(Presets, ContradictionsAreRefused) {
  expect_refusal("ncouls", [](Preset& p) { p.ncouls = 0; });
  expect_refusal("ncouls", [](Preset& p) { p.ncouls = std::numeric_limits<int>::max(); });
  expect_refusal("ngpown", [](Preset& p) { p.ngpown = 0; });
  expect_refusal("ngpown", [](Preset& p) { p.ngpown = p.ncouls + 1; });
  expect_refusal("g_ranks", [](Preset& p) { p.g_ranks = 2; });
  expect_refusal("ntband_dist", [](Preset& p) { p.ntband_dist = p.sig_ntband + 1; });
  expect_refusal("nvband", [](Preset& p) { p.nvband = 0; });
  expect_refusal("nstart", [](Preset& p) { p.nstart = 0; });
  expect_refusal("nend", [](Preset& p) { p.nend = 4; });
  expect_refusal("lattice", [](Preset& p) { p.lattice = 0.0; });
  expect_refusal("invalid_poles", [](Preset& p) { p.invalid_poles = 1.5; });
}

TEST(Presets, TooLargeForTheMemoryIsRefusedAtOnce) {
  expect_refusal("memory", [](Preset& p) { p.ncouls = p.ngpown = 9'000'000; });
}

}  // namespace
}  // namespace gpp
