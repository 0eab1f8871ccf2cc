// Reading what was written gives the same; writing what was read gives the same bytes.
#include <gtest/gtest.h>

#include <numeric>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "data/sha256.h"
#include "roofline/base/error.h"
#include "tests/data/sample.h"
#include "tests/temporary_folder.h"

namespace gpp::testing {
namespace {

/// Every value of every record, in order, as bytes of the file: two inputs are equal when these
/// are.
void expect_equal(const Input& a, const Input& b) {
  EXPECT_EQ(a.peinf_indext_dist, b.peinf_indext_dist);
  EXPECT_EQ(a.wfnkq_ekq, b.wfnkq_ekq);
  EXPECT_EQ(a.inv_igp_index, b.inv_igp_index);
  EXPECT_EQ(a.indinv, b.indinv);
  EXPECT_EQ(a.vcoul, b.vcoul);
  EXPECT_TRUE(a.aqsmtemp == b.aqsmtemp);
  EXPECT_TRUE(a.aqsntemp == b.aqsntemp);
  EXPECT_TRUE(a.wtilde_array == b.wtilde_array);
  EXPECT_TRUE(a.I_eps_array == b.I_eps_array);
  EXPECT_TRUE(a.asxtemp == b.asxtemp && a.achtemp == b.achtemp);
  EXPECT_TRUE(a.asxtempref == b.asxtempref && a.achtempref == b.achtempref);
  EXPECT_EQ(bytes_of(a), bytes_of(b));
}

TEST(RoundTrip, EveryRecordComesBack) {
  const Input input = sample_input();
  const Input again = read_bytes(bytes_of(input));
  expect_equal(input, again);
  EXPECT_EQ(again.sig_ntband, 7);
  EXPECT_EQ(again.gvec_ng, 11);
  EXPECT_EQ(again.ncoul, 6);
  EXPECT_EQ(again.epsmpi_ngpown_max, 4);
  EXPECT_EQ(again.peinf_ntband_max, 5);
  EXPECT_EQ(again.peinf_ntband_dist, 3);
  EXPECT_EQ(again.ipe, 2);
  EXPECT_EQ(again.ispin, 1);
  EXPECT_EQ(again.ngpown, 2);
  EXPECT_EQ(again.ncouls, 3);
  EXPECT_EQ(again.nstart, 2);
  EXPECT_EQ(again.nend, 3);
  EXPECT_EQ(again.sig_fdf, 2);
  EXPECT_EQ(again.sig_dw, 1.0);
  EXPECT_EQ(again.sig_gamma, 0.5);
  EXPECT_EQ(again.e_lk, 0.75);
  EXPECT_EQ(again.nvband, 4);
  EXPECT_EQ(again.tol, 1e-5);
  EXPECT_EQ(again.efermi, 0.25);
  EXPECT_EQ(again.sexcut, 4.0);
  EXPECT_EQ(again.limittwo, 0.25);
  EXPECT_EQ(again.limitone, 250000.0);
}

TEST(RoundTrip, RecordsHaveTheLengthsOfTheDesign) {
  const std::string bytes = bytes_of(sample_input());
  // Dimensions 7, 11, 6, 4, 5 and 3, -, -, 2, 3; see section 2 of the design.
  const std::vector<std::size_t> expected = {20,         20,         4 * 5, 8 * 7, 36, 4 * 4,
                                             48,         16 * 3 * 5, 20,    8 * 6, 24, 16 * 3 * 2,
                                             16 * 3 * 2, 16 * 3 * 5, 48,    48,    48, 48};
  std::vector<std::size_t> lengths;
  for (const Frame& frame : frames_of(bytes)) lengths.push_back(frame.trailing - frame.content);
  EXPECT_EQ(lengths, expected);
  EXPECT_EQ(gpp214_file_bytes(sample_input()), static_cast<std::int64_t>(bytes.size()));
}

TEST(RoundTrip, RealFilesComeBackByteForByte) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(bundled_inputs().size(), 5u);
  for (const std::string& name : bundled_inputs()) {
    SCOPED_TRACE(name);
    const std::filesystem::path file = bundled_input(name);
    const Input input = read_gpp214(file);
    write_gpp214(folder / "again.dat", input);
    EXPECT_TRUE(file_content(file) == file_content(folder / "again.dat"));
    EXPECT_EQ(sha256_of(input), sha256_of_file(file));
  }
}

TEST(RoundTrip, OddSizes) {
  for (const int ncouls : {1, 2, 31, 33})
    for (const int ngpown : {1, 3, 7}) {
      SCOPED_TRACE(::testing::Message() << "ncouls " << ncouls << " ngpown " << ngpown);
      Input input = sample_input();
      input.ncouls = ncouls;
      input.ncoul = ncouls;
      input.ngpown = ngpown;
      input.epsmpi_ngpown_max = ngpown;
      const auto rows = static_cast<std::size_t>(ncouls);
      const auto columns = static_cast<std::size_t>(ngpown);
      input.vcoul.assign(rows, 0.125);
      input.inv_igp_index.resize(columns);
      std::iota(input.inv_igp_index.begin(), input.inv_igp_index.end(), 1);
      input.aqsmtemp.assign(rows * 5, {0.1, 0.2});
      input.aqsntemp.assign(rows * 5, {0.3, 0.4});
      input.wtilde_array.assign(rows * columns, {20.0, 0.0});
      input.I_eps_array.assign(rows * columns, {0.01, 0.02});
      expect_equal(input, read_bytes(bytes_of(input)));
    }
}

TEST(RoundTrip, SubrecordsOfAnyLength) {
  const Input input = sample_input();
  for (const std::int64_t length : {1, 3, 4, 7, 8, 16, 19, 20, 21, 48, 100, 239, 240, 241}) {
    SCOPED_TRACE(length);
    const WriteOptions options{length};
    const std::string bytes = bytes_of(input, options);
    EXPECT_EQ(gpp214_file_bytes(input, options), static_cast<std::int64_t>(bytes.size()));
    expect_equal(input, read_bytes(bytes));
  }
}

TEST(RoundTrip, MarkersOfSubrecordsHaveFortransSigns) {
  const std::string bytes = bytes_of(sample_input(), {8});  // record 1: 8, 8 and 4 bytes
  EXPECT_EQ(int_at(bytes, 0), -8);                          // more follow
  EXPECT_EQ(int_at(bytes, 12), 8);                          // none went before
  EXPECT_EQ(int_at(bytes, 16), -8);
  EXPECT_EQ(int_at(bytes, 28), -8);
  EXPECT_EQ(int_at(bytes, 32), 4);   // the last
  EXPECT_EQ(int_at(bytes, 40), -4);  // some went before
}

TEST(RoundTrip, SubrecordLengthMustBePossible) {
  for (const std::int64_t length : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{2147483640}})
    EXPECT_THROW(bytes_of(sample_input(), {length}), std::invalid_argument) << length;
}

TEST(RoundTrip, SizesAreKnownBeyondTheSubrecordLimit) {
  Input dimensions = sample_input();
  dimensions.ncouls = dimensions.ncoul = 26529;
  dimensions.ngpown = dimensions.epsmpi_ngpown_max = 6633;
  const std::int64_t matrix = 16LL * 26529 * 6633;  // 2.8 GB: two subrecords
  const std::int64_t bands = 16LL * 26529 * 5;
  const std::int64_t small =
      20 + 20 + 4 * 5 + 8 * 7 + 36 + 4 * 6633 + 48 + 20 + 8 * 26529 + 24 + 4 * 48;
  const std::int64_t markers = 8 * (18 + 2);
  EXPECT_EQ(gpp214_file_bytes(dimensions), 2 * matrix + 2 * bands + small + markers);
}

TEST(RoundTrip, WriterRefusesArraysThatContradictTheDimensions) {
  Input input = sample_input();
  input.aqsntemp.pop_back();
  EXPECT_THROW(bytes_of(input), roofline::InputError);
  const test::TemporaryFolder folder;
  EXPECT_THROW(write_gpp214(folder / "bad.dat", input), roofline::InputError);
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace gpp::testing
