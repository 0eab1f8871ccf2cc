// Tests that a written input reads back equal, in C++ and in Fortran, and tests of hashes; of
// unreadable and unwritable paths, and of files left after a failed write.
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <cstdlib>
#include <set>

#include "data/bundled.h"
#include "data/fortran_records.h"
#include "data/gpp214.h"
#include "roofline/base/files.h"
#include "roofline/base/text.h"
#include "tests/data/sample.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

// ---- Reading what was written gives the same; writing what was read gives the same bytes.

TEST(RoundTrip, EveryRecordComesBack) {
  const Input input = sample_input();
  const Input again = read_bytes(bytes_of(input));
  EXPECT_EQ(bytes_of(again), bytes_of(input));
  EXPECT_EQ(whole_numbers(again),
            (std::vector<std::int32_t>{7, 11, 6, 4, 5, 3, 2, 1, 2, 3, 2, 3, 2, 4}));
  EXPECT_EQ(real_numbers(again),
            (std::vector<double>{1.0, 0.5, 0.75, 1e-5, 0.25, 4.0, 0.25, 250000.0}));
}

TEST(RoundTrip, RecordsHaveTheLengthsOfTheDesign) {
  const std::string bytes = bytes_of(sample_input());
  // The dimensions are 7, 11, 6, 4, 5 and 3, -, -, 2, 3; see section 2 of the design.
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
    EXPECT_TRUE(file_text(file) == file_text(folder / "again.dat"));
    EXPECT_EQ(sha256_of(input), roofline::sha256_of_file(file));
  }
}

/// A file of holes, as LLVM's Fortran runtime writes 2 to 4 GiB (llvm-project pull request 213003).
TEST(RoundTrip, RecordsOf2To4GiBMayHaveUnsignedMarkers) {
  const test::TemporaryFolder folder;
  for (const std::uint32_t bytes : {2147483648U, 2227200000U, 4294967280U})
    for (const std::uint32_t trailing : {bytes, bytes - 16}) {
      std::ofstream file(folder / "holes.dat", std::ios::binary);
      file.write(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
      file.seekp(bytes, std::ios::cur);
      file.write(reinterpret_cast<const char*>(&trailing), sizeof(trailing));
      file.close();
      std::ifstream stream(folder / "holes.dat", std::ios::binary);
      RecordReader reader(stream, "holes.dat");
      reader.begin({12, "wtilde_array", "16 x 139200000"}, bytes);
      reader.skip(bytes);
      if (trailing == bytes)
        EXPECT_NO_THROW(reader.end(); reader.expect_end()) << bytes;
      else
        EXPECT_THROW(reader.end(), roofline::InputError) << bytes;
    }
}

TEST(RoundTrip, SubrecordsOfAnyLength) {
  const Input input = sample_input();
  for (const std::int64_t length : {1, 3, 4, 7, 8, 16, 19, 20, 21, 48, 100, 239, 240, 241}) {
    SCOPED_TRACE(length);
    const WriteOptions options{length};
    const std::string bytes = bytes_of(input, options);
    EXPECT_EQ(gpp214_file_bytes(input, options), static_cast<std::int64_t>(bytes.size()));
    EXPECT_EQ(bytes_of(read_bytes(bytes)), bytes_of(input));
  }
  for (const std::int64_t length : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{2147483640}})
    EXPECT_THROW(bytes_of(input, {length}), std::invalid_argument) << length;
}

TEST(RoundTrip, MarkersOfSubrecordsHaveFortransSigns) {
  const std::string bytes = bytes_of(sample_input(), {8});  // record 1: 8, 8 and 4 bytes
  EXPECT_EQ(int_at(bytes, 0), -8);                          // another subrecord follows
  EXPECT_EQ(int_at(bytes, 12), 8);                          // no earlier subrecord
  EXPECT_EQ(int_at(bytes, 16), -8);
  EXPECT_EQ(int_at(bytes, 28), -8);
  EXPECT_EQ(int_at(bytes, 32), 4);   // last subrecord
  EXPECT_EQ(int_at(bytes, 40), -4);  // an earlier subrecord exists
}

TEST(RoundTrip, SizesAreKnownBeyondTheSubrecordLimit) {
  Input dimensions = sample_input();
  dimensions.ncouls = dimensions.ncoul = 26529;
  dimensions.ngpown = dimensions.epsmpi_ngpown_max = 6633;
  const std::int64_t matrix = 16LL * 26529 * 6633;  // 2.8 GB take two subrecords
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

// ---- The examples of FIPS 180 (NIST, "Secure Hash Standard" and its example values).

/// Repeated texts have lengths around the one at which padding needs another block. The examples of
/// RFC 4231 have a short key, and one that is hashed first.
TEST(Sha256Test, PublishedExamplesAndSignatures) {
  const std::vector<std::pair<std::string, const char*>> examples = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
       "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1000000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
      {std::string(55, 'a'), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {std::string(56, 'a'), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {std::string(64, 'a'), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"}};
  for (const auto& [text, digest] : examples)
    for (const std::size_t piece : {1u, 3u, 55u, 56u, 63u, 64u, 65u, 127u, 1000000u}) {
      roofline::Sha256 sha;
      for (std::size_t at = 0; at < text.size(); at += piece)
        sha.add(text.data() + at, std::min(piece, text.size() - at));
      EXPECT_EQ(sha.digest(), digest) << text.size() << " in pieces of " << piece;
    }
  EXPECT_EQ(roofline::hmac_sha256("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(roofline::hmac_sha256(std::string(131, '\xaa'),
                                  "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Sha256Test, OfFilesAndInputs) {
  const test::TemporaryFolder folder;
  write_gpp214(folder / "sample.dat", sample_input());
  EXPECT_EQ(roofline::sha256_of_file(folder / "sample.dat"),
            roofline::sha256_of(bytes_of(sample_input())));
  EXPECT_EQ(sha256_of(sample_input()), roofline::sha256_of(bytes_of(sample_input())));
  EXPECT_THROW(roofline::sha256_of_file(folder / "missing.dat"), roofline::InputError);
  EXPECT_THROW(roofline::sha256_of_file(folder.path()), roofline::InputError);
}

// ---- Fortran's view of the format. The committed fixtures were written by gfortran; where
// gfortran is installed they are written again and compared, and a Fortran program reads what we
// write.

namespace fs = std::filesystem;

const fs::path sources = fs::path(GPP_SOURCE_DIR) / "tests" / "data" / "fortran";

bool succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

/// Tests that run gfortran, if it is installed.
class Gfortran : public testing::Test {
 protected:
  void SetUp() override {
    if (!succeeds("gfortran --version > /dev/null 2>&1"))
      GTEST_SKIP() << "gfortran is not installed";
  }
};

/// Compiles a program of tests/data/fortran into `folder` and returns its path.
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
  return file_text(file);
}

/// Lets a Fortran program read a file, and returns its output.
std::string copied_by_fortran(const std::string& bytes, const std::string& compile_options) {
  const test::TemporaryFolder folder;
  const fs::path program = compiled(folder, "read_ours", compile_options);
  write_content(folder / "ours.dat", bytes);
  EXPECT_TRUE(
      succeeds(fmt::format("'{}' '{}' '{}'", program.string(), (folder / "ours.dat").string(),
                           (folder / "copy.dat").string())));
  return file_text(folder / "copy.dat");
}

void expect_fixture(const Input& input) {
  EXPECT_EQ(whole_numbers(input),
            (std::vector<std::int32_t>{9, 13, 8, 5, 6, 4, 2, 1, 3, 7, 1, 3, 2, 5}));
  EXPECT_EQ(real_numbers(input),
            (std::vector<double>{1.0, 0.5, 0.75, 1.0 / 131072, 0.25, 4.0, 0.25, 250000.0}));
  EXPECT_EQ(input.peinf_indext_dist, (std::vector<std::int32_t>{1, 3, 5, 9, 0, 0}));
  EXPECT_EQ(input.wfnkq_ekq[8], 2.5);
  EXPECT_EQ(input.inv_igp_index, (std::vector<std::int32_t>{2, 5, 8, 0, 0}));
  EXPECT_EQ(input.indinv, (std::vector<std::int32_t>{3, 6, 9, 2, 5, 8, 1, 4, 7, 0, 3, 6, 9}));
  EXPECT_EQ(input.vcoul[7], 1.0 / 256);
  EXPECT_EQ(input.asxtemp[0].im, 0.25);
  EXPECT_EQ(input.achtemp[1].re, 2.0);
  EXPECT_EQ(input.asxtempref[2].re, -3.0);
  EXPECT_EQ(input.achtempref[2].im, 1.25);
}

/// Expects that element (row, column), counted from 1, is start + row/16 - i column/32.
void expect_matrix(const std::vector<Complex>& values, int rows, int columns, double start) {
  ASSERT_EQ(values.size(), static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int column = 1; column <= columns; ++column)
    for (int row = 1; row <= rows; ++row) {
      const Complex value = values[static_cast<std::size_t>(row - 1 + rows * (column - 1))];
      EXPECT_EQ(value.re, start + row / 16.0) << row << ", " << column;
      EXPECT_EQ(value.im, -column / 32.0) << row << ", " << column;
    }
}

TEST(Fortran, FixturesAreReadAndWritten) {
  for (const char* name : {"fixture.dat", "fixture_subrecords.dat"}) {
    SCOPED_TRACE(name);
    const Input input = read_gpp214(sources / name);
    expect_fixture(input);
    expect_matrix(input.aqsmtemp, 7, 6, 0.125);
    expect_matrix(input.wtilde_array, 7, 3, 16.0);
    expect_matrix(input.I_eps_array, 7, 3, 0.0625);
    expect_matrix(input.aqsntemp, 7, 6, 0.375);
  }
  const Input input = read_gpp214(sources / "fixture.dat");
  EXPECT_TRUE(bytes_of(input) == file_text(sources / "fixture.dat"));
  EXPECT_TRUE(bytes_of(input, {100}) == file_text(sources / "fixture_subrecords.dat"));
}

TEST_F(Gfortran, WritesOurFixturesAndSubrecordsOfAnyLength) {
  EXPECT_TRUE(written_by_fortran("") == file_text(sources / "fixture.dat"));
  EXPECT_TRUE(written_by_fortran("-fmax-subrecord-length=100") ==
              file_text(sources / "fixture_subrecords.dat"));
  const std::string plain = file_text(sources / "fixture.dat");
  for (const int length : {1, 8, 20, 47, 48, 49, 671, 672}) {
    SCOPED_TRACE(length);
    const std::string bytes = written_by_fortran(fmt::format("-fmax-subrecord-length={}", length));
    EXPECT_TRUE(bytes_of(read_bytes(bytes)) == plain);
    EXPECT_TRUE(bytes_of(read_bytes(plain), {length}) == bytes);
  }
}

TEST_F(Gfortran, ReadsOurFiles) {
  const Input sample = sample_input();
  EXPECT_TRUE(copied_by_fortran(bytes_of(sample), "") == bytes_of(sample));
  const Input real = read_gpp214(bundled_input("gpp_si2_mpi3_r2_ipe3"));
  EXPECT_TRUE(copied_by_fortran(bytes_of(real), "") == bytes_of(real));
  EXPECT_TRUE(copied_by_fortran(bytes_of(real, {1000}), "") == bytes_of(real));
  EXPECT_TRUE(copied_by_fortran(bytes_of(real), "-fmax-subrecord-length=777") ==
              bytes_of(real, {777}));
}

TEST_F(Gfortran, OtherFormatsAreRefused) {
  for (const auto& [options, environment, part] :
       {std::tuple("-fconvert=big-endian", "", "little endian"),
        {"", "GFORTRAN_CONVERT_UNIT=big_endian", "little endian"},
        {"-frecord-marker=8", "", "markers and integers of 4 bytes"},
        {"-frecord-marker=8 -fconvert=big-endian", "", "little endian"}})
    EXPECT_TRUE(contains(refusal(written_by_fortran(options, environment)), part)) << options;
}

// ---- Paths --------------------------------------------------------------------------------------

template <class Action>
void expect_refused(const fs::path& path, const std::string& part, const Action& action) {
  EXPECT_TRUE(contains_all(thrown<roofline::InputError>(action), {path.string(), part}));
}

void expect_unreadable(const fs::path& path, const std::string& part) {
  expect_refused(path, part, [&] { read_gpp214(path); });
}

void expect_unwritable(const fs::path& path, const std::string& part) {
  expect_refused(path, part, [&] { write_gpp214(path, sample_input()); });
}

TEST(Reading, PathsThatHoldNoFile) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink(folder / "nowhere", folder / "link");
  fs::create_symlink(folder / "loop", folder / "loop");
  write_content(folder / "empty.dat", "");
  write_content(folder / "text.dat", "ncouls = 12\n");
  for (const auto& [path, part] : {std::pair(folder / "missing.dat", "No such file"),
                                   {folder / "missing" / "missing.dat", "No such file"},
                                   {"", "No such file"},
                                   {folder.path(), "directory"},
                                   {"/dev/null", "not a regular file"},
                                   {folder / "pipe", "not a regular file"},
                                   {folder / "link", "No such file"},
                                   {folder / "loop", "Too many levels of symbolic links"},
                                   {folder / "empty.dat", "truncated"},
                                   {folder / "text.dat", "little endian"}})
    expect_unreadable(path, part);
}

/// Root can access everything, so root becomes the user "nobody" during a test.
class Unprivileged {
 public:
  Unprivileged() : root_(geteuid() == 0) {
    if (root_ && seteuid(65534) != 0) throw std::runtime_error("seteuid failed");
  }
  ~Unprivileged() {
    if (root_ && seteuid(0) != 0) std::abort();
  }

 private:
  bool root_;
};

TEST(Reading, AndWritingNeedPermission) {
  const test::TemporaryFolder folder;
  write_gpp214(folder / "secret.dat", sample_input());
  fs::permissions(folder / "secret.dat", fs::perms::none);
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec |
                                     fs::perms::others_read | fs::perms::others_exec);
  {
    const Unprivileged user;
    expect_unreadable(folder / "secret.dat", "Permission denied");
    expect_unwritable(folder / "new.dat", "Permission denied");
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(Writing, PathsThatCannotBeWrittenAreRefused) {
  const test::TemporaryFolder folder;
  expect_unwritable(folder.path(), "directory");
  expect_unwritable(folder.path() / "missing" / "new.dat", "No such file or directory");
  expect_unwritable("/dev/null", "a device");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  expect_unwritable("/proc/new.dat", "/proc");
}

/// A user with write access to the folder must not redirect our writes to another file.
TEST(Writing, LeavesNothingElseReplacesAFileAndGoesThroughNoLink) {
  const test::TemporaryFolder folder;
  for (const char* name : {"victim", "old"}) write_content(folder / name, "precious");
  fs::create_symlink("victim", folder / "link");
  fs::create_symlink("loop", folder / "loop");
  for (const char* name : {"old", "new", "link", "loop"}) {
    write_gpp214(folder / name, sample_input());
    EXPECT_EQ(file_text(folder / name), bytes_of(sample_input())) << name;
    EXPECT_FALSE(fs::is_symlink(folder / name)) << name;
  }
  EXPECT_EQ(file_text(folder / "victim"), "precious");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"link", "loop", "new", "old", "victim"}));
}

/// Another user could own a temporary file with a predictable name.
TEST(Writing, TemporaryFilesHaveNamesOfTheirOwn) {
  const test::TemporaryFolder folder;
  std::set<std::string> names;
  for (int i = 0; i < 3; ++i)
    roofline::replace_file(folder / "new.dat", [&](std::ostream&) {
      const std::vector<std::string> there = folder.names();
      names.insert(there.front());
      EXPECT_EQ(fs::status(folder / there.front()).permissions() & fs::perms::others_write,
                fs::perms::none);
    });
  EXPECT_EQ(names.size(), 3u);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"new.dat"});
}

/// Writing is interrupted, or the disk is full.
TEST(Writing, FailureOnTheWayIsReportedAndLeavesTheOldFile) {
  const test::TemporaryFolder folder;
  write_content(folder / "result.dat", "old");
  const auto interrupted = [](std::ostream& stream) {
    stream << "half of the";
    throw std::runtime_error("interrupted");
  };
  for (const char* name : {"result.dat", "new.dat"})
    EXPECT_THROW(roofline::replace_file(folder / name, interrupted), std::runtime_error);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit full{100, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &full);
  expect_unwritable(folder / "result.dat", "writing it failed");
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"result.dat"});
  EXPECT_EQ(file_text(folder / "result.dat"), "old");
}

}  // namespace
}  // namespace gpp::test
