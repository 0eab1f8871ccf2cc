// Fortran's view of the format. The committed fixtures were written by gfortran; where gfortran is
// installed they are written again and compared, and a Fortran program reads what we write.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "roofline/base/error.h"
#include "tests/data/sample.h"
#include "tests/temporary_folder.h"

namespace gpp::testing {
namespace {

namespace fs = std::filesystem;

const fs::path sources = fs::path(GPP_SOURCE_DIR) / "tests" / "data" / "fortran";

bool succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

bool gfortran_is_missing() { return !succeeds("gfortran --version > /dev/null 2>&1"); }

#define SKIP_WITHOUT_GFORTRAN() \
  if (gfortran_is_missing()) GTEST_SKIP() << "gfortran is not installed"

/// Compiles a program of tests/data/fortran into `folder`; returns the program.
fs::path compiled(const test::TemporaryFolder& folder, const std::string& name,
                  const std::string& options) {
  const fs::path program = folder / name;
  const std::string command =
      fmt::format("cd '{}' && gfortran -O1 {} '{}' -o '{}'", folder.path().string(), options,
                  (sources / (name + ".f90")).string(), program.string());
  EXPECT_TRUE(succeeds(command)) << command;
  return program;
}

std::string written_by_fortran(const std::string& compile_options,
                               const std::string& environment = {}) {
  const test::TemporaryFolder folder;
  const fs::path program = compiled(folder, "write_fixture", compile_options);
  const fs::path file = folder / "fixture.dat";
  EXPECT_TRUE(succeeds(fmt::format("{} '{}' '{}'", environment, program.string(), file.string())));
  return file_content(file);
}

/// Lets a Fortran program read a file, and returns what it prints.
std::string copied_by_fortran(const std::string& bytes, const std::string& compile_options) {
  const test::TemporaryFolder folder;
  const fs::path program = compiled(folder, "read_ours", compile_options);
  write_content(folder / "ours.dat", bytes);
  EXPECT_TRUE(
      succeeds(fmt::format("'{}' '{}' '{}'", program.string(), (folder / "ours.dat").string(),
                           (folder / "copy.dat").string())));
  return file_content(folder / "copy.dat");
}

void expect_fixture(const Input& input) {
  EXPECT_EQ(input.sig_ntband, 9);
  EXPECT_EQ(input.gvec_ng, 13);
  EXPECT_EQ(input.ncoul, 8);
  EXPECT_EQ(input.epsmpi_ngpown_max, 5);
  EXPECT_EQ(input.peinf_ntband_max, 6);
  EXPECT_EQ(input.peinf_ntband_dist, 4);
  EXPECT_EQ(input.ipe, 2);
  EXPECT_EQ(input.ispin, 1);
  EXPECT_EQ(input.ngpown, 3);
  EXPECT_EQ(input.ncouls, 7);
  EXPECT_EQ(input.peinf_indext_dist, (std::vector<std::int32_t>{1, 3, 5, 9, 0, 0}));
  EXPECT_EQ(input.wfnkq_ekq[8], 2.5);
  EXPECT_EQ(input.nstart, 1);
  EXPECT_EQ(input.nend, 3);
  EXPECT_EQ(input.sig_fdf, 2);
  EXPECT_EQ(input.sig_dw, 1.0);
  EXPECT_EQ(input.sig_gamma, 0.5);
  EXPECT_EQ(input.e_lk, 0.75);
  EXPECT_EQ(input.inv_igp_index, (std::vector<std::int32_t>{2, 5, 8, 0, 0}));
  EXPECT_EQ(input.indinv, (std::vector<std::int32_t>{3, 6, 9, 2, 5, 8, 1, 4, 7, 0, 3, 6, 9}));
  EXPECT_EQ(input.nvband, 5);
  EXPECT_EQ(input.tol, 1.0 / 131072);
  EXPECT_EQ(input.efermi, 0.25);
  EXPECT_EQ(input.vcoul[7], 1.0 / 256);
  EXPECT_EQ(input.sexcut, 4.0);
  EXPECT_EQ(input.limittwo, 0.25);
  EXPECT_EQ(input.limitone, 250000.0);
  EXPECT_EQ(input.asxtemp[0].im, 0.25);
  EXPECT_EQ(input.achtemp[1].re, 2.0);
  EXPECT_EQ(input.asxtempref[2].re, -3.0);
  EXPECT_EQ(input.achtempref[2].im, 1.25);
}

/// Element (row, column), counted from 1, is start + row/16 - i column/32.
void expect_matrix(const std::vector<Complex>& values, int rows, int columns, double start) {
  ASSERT_EQ(values.size(), static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int column = 1; column <= columns; ++column)
    for (int row = 1; row <= rows; ++row) {
      const Complex value = values[static_cast<std::size_t>(row - 1 + rows * (column - 1))];
      EXPECT_EQ(value.re, start + row / 16.0) << row << ", " << column;
      EXPECT_EQ(value.im, -column / 32.0) << row << ", " << column;
    }
}

TEST(Fortran, FixturesAreRead) {
  for (const char* name : {"fixture.dat", "fixture_subrecords.dat"}) {
    SCOPED_TRACE(name);
    const Input input = read_gpp214(sources / name);
    expect_fixture(input);
    expect_matrix(input.aqsmtemp, 7, 6, 0.125);
    expect_matrix(input.wtilde_array, 7, 3, 16.0);
    expect_matrix(input.I_eps_array, 7, 3, 0.0625);
    expect_matrix(input.aqsntemp, 7, 6, 0.375);
  }
}

TEST(Fortran, OurFilesAreTheSameByteForByte) {
  const Input input = read_gpp214(sources / "fixture.dat");
  EXPECT_TRUE(bytes_of(input) == file_content(sources / "fixture.dat"));
  EXPECT_TRUE(bytes_of(input, {100}) == file_content(sources / "fixture_subrecords.dat"));
}

TEST(Fortran, FixturesAreWhatTheirProgramWrites) {
  SKIP_WITHOUT_GFORTRAN();
  EXPECT_TRUE(written_by_fortran("") == file_content(sources / "fixture.dat"));
  EXPECT_TRUE(written_by_fortran("-fmax-subrecord-length=100") ==
              file_content(sources / "fixture_subrecords.dat"));
}

TEST(Fortran, AnySubrecordLengthIsRead) {
  SKIP_WITHOUT_GFORTRAN();
  const std::string plain = file_content(sources / "fixture.dat");
  for (const int length : {1, 8, 20, 47, 48, 49, 671, 672}) {
    SCOPED_TRACE(length);
    const std::string bytes = written_by_fortran(fmt::format("-fmax-subrecord-length={}", length));
    EXPECT_TRUE(bytes_of(read_bytes(bytes)) == plain);
    EXPECT_TRUE(bytes_of(read_bytes(plain), {length}) == bytes);
  }
}

TEST(Fortran, ReadsOurFiles) {
  SKIP_WITHOUT_GFORTRAN();
  const Input sample = sample_input();
  EXPECT_TRUE(copied_by_fortran(bytes_of(sample), "") == bytes_of(sample));
  const Input real = read_gpp214(bundled_input("gpp_si2_mpi3_r2_ipe3"));
  EXPECT_TRUE(copied_by_fortran(bytes_of(real), "") == bytes_of(real));
}

TEST(Fortran, ReadsOurSubrecords) {
  SKIP_WITHOUT_GFORTRAN();
  const Input real = read_gpp214(bundled_input("gpp_si2_mpi3_r2_ipe3"));
  EXPECT_TRUE(copied_by_fortran(bytes_of(real, {1000}), "") == bytes_of(real));
  EXPECT_TRUE(copied_by_fortran(bytes_of(real), "-fmax-subrecord-length=777") ==
              bytes_of(real, {777}));
}

TEST(Fortran, OtherFormatsAreRecognised) {
  SKIP_WITHOUT_GFORTRAN();
  const auto expect = [](const std::string& bytes, const std::string& part) {
    const std::string message = refusal(bytes);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(written_by_fortran("-fconvert=big-endian"), "big endian");
  expect(written_by_fortran("", "GFORTRAN_CONVERT_UNIT=big_endian"), "big endian");
  expect(written_by_fortran("-frecord-marker=8"), "record markers take 8 bytes");
  expect(written_by_fortran("-frecord-marker=8 -fconvert=big-endian"), "big endian");
}

}  // namespace
}  // namespace gpp::testing
