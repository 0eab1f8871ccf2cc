// The partition: every band and every G' belongs to one rank, and a rank's part is that of the
// whole.
#include "gpp/scale/partition.h"

#include <gtest/gtest.h>

#include <set>

#include "roofline/base/error.h"

namespace gpp::scale {
namespace {

const Preset& preset_called(const char* name) { return *find_preset(name); }

TEST(Partition, EveryBandAndEveryGBelongsToOneRank) {
  const Preset& preset = preset_called("tiny");
  for (const int ranks : {1, 2, 3, 5, 7, 20}) {
    std::set<int> bands, own_g;
    for (int rank = 0; rank < ranks; ++rank) {
      const Preset part = part_of(preset, rank, ranks, 0);
      for (int i = 0; i < part.ntband_dist; ++i)
        EXPECT_TRUE(bands.insert(part.first_band + i).second);
      for (int i = 0; i < part.ngpown; ++i)
        EXPECT_TRUE(own_g.insert(part.first_own_g + i * part.g_ranks).second);
    }
    EXPECT_EQ(bands.size(), static_cast<std::size_t>(preset.sig_ntband)) << ranks;
    EXPECT_EQ(own_g.size(), static_cast<std::size_t>(preset.ncouls)) << ranks;
    EXPECT_EQ(*bands.rbegin(), preset.sig_ntband - 1);
    EXPECT_EQ(*own_g.rbegin(), preset.ncouls - 1);
  }
}

TEST(Partition, MoreRanksThanBandsOrGAreRefused) {
  EXPECT_NO_THROW(part_of(preset_called("tiny"), 0, 20, 0));
  EXPECT_THROW(part_of(preset_called("tiny"), 0, 21, 0), roofline::InputError);
  Preset many_bands = preset_called("tiny");
  many_bands.sig_ntband = 100;
  EXPECT_THROW(part_of(many_bands, 0, 28, 0), roofline::InputError);
}

/// A rank generates the part that the whole has there.
TEST(Partition, PartsAreThoseOfTheWhole) {
  for (const char* name : {"tiny", "offdiagonal"}) {
    const Preset& preset = preset_called(name);
    const Input whole = generate(whole_of(preset), 3, false);
    for (int rank = 0; rank < 3; ++rank) {
      const Preset preset_of_part = part_of(preset, rank, 3, 0);
      const Input part = generate(preset_of_part, 3, false);
      const auto rows = static_cast<std::size_t>(whole.ncouls);
      for (std::size_t igp = 0; igp < static_cast<std::size_t>(part.ngpown); ++igp)
        for (std::size_t ig = 0; ig < rows; ++ig) {
          const std::size_t there = ig + rows * (static_cast<std::size_t>(rank) + 3 * igp);
          ASSERT_EQ(part.wtilde_array[ig + rows * igp].re, whole.wtilde_array[there].re);
          ASSERT_EQ(part.I_eps_array[ig + rows * igp].im, whole.I_eps_array[there].im);
        }
      const auto first = static_cast<std::size_t>(preset_of_part.first_band);
      for (std::size_t i = 0; i < part.aqsntemp.size(); ++i) {
        ASSERT_EQ(part.aqsntemp[i].re, whole.aqsntemp[rows * first + i].re);
        ASSERT_EQ(part.aqsmtemp[i].im, whole.aqsmtemp[rows * first + i].im);
      }
    }
  }
}

TEST(Partition, StatesDifferAndTheirElementsAreTheSameAlone) {
  const Preset& preset = preset_called("tiny");
  const Input zero = generate(part_of(preset, 1, 2, 0), 1, false);
  const Preset part = part_of(preset, 1, 2, 4);
  const Input four = generate(part, 1, false);
  EXPECT_DOUBLE_EQ(four.e_lk - zero.e_lk, 4 * state_distance);
  EXPECT_NE(four.aqsntemp[0].re, zero.aqsntemp[0].re);
  EXPECT_EQ(four.wtilde_array[5].re, zero.wtilde_array[5].re);
  const MatrixElements alone = generate_elements(part, 1);
  ASSERT_EQ(alone.aqsntemp.size(), four.aqsntemp.size());
  for (std::size_t i = 0; i < alone.aqsntemp.size(); ++i)
    ASSERT_EQ(alone.aqsntemp[i].re, four.aqsntemp[i].re);
}

/// The second of the eight ranks that share the calculation behind gpp214.
TEST(Partition, TheSecondRankOfGpp214HasThePresetOfItsName) {
  const Preset& second = preset_called("gpp214_rank2");
  const Preset part = part_of(preset_called("gpp214"), 1, 8, 0);
  EXPECT_EQ(second.ngpown, part.ngpown);
  EXPECT_EQ(second.first_own_g, part.first_own_g);
  EXPECT_EQ(second.ntband_dist, part.ntband_dist);
  EXPECT_EQ(second.first_band, part.first_band);
  EXPECT_EQ(second.ntband_dist, 800);
}

TEST(Partition, StatesAreDealtToPools) {
  EXPECT_EQ(states_of(5, 0, 2), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(states_of(5, 1, 2), (std::vector<int>{1, 3}));
  EXPECT_TRUE(states_of(1, 1, 2).empty());
}

/// Del Ben et al. 2020: 6.19 GB for a state of Si-214, of which 2.27 pass: aqsn, and aqsm apart.
TEST(Partition, PredictedMemoryIsThePublishedOne) {
  const Memory one = predict_memory(preset_called("gpp214"), 1, 1, false);
  EXPECT_NEAR(1e-9 * static_cast<double>(one.poles + 2 * one.own), 6.19, 0.005);
  EXPECT_NEAR(1e-9 * static_cast<double>(2 * one.own), 2.27, 0.005);
  EXPECT_EQ(one.passing, 0) << "nothing passes a single rank";
  const Memory eight = predict_memory(preset_called("gpp214"), 8, 1, true);
  EXPECT_EQ(eight.passing, 2 * eight.own);
  EXPECT_EQ(eight.staging, 3 * eight.own);
  EXPECT_LT(8 * eight.own, one.own + 8 * 16 * 11075 + 1);
}

}  // namespace
}  // namespace gpp::scale
