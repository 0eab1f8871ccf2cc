// Tests of the bundled inputs: they are found, their memory is estimated, and their sums equal
// BerkeleyGW's. A stored reference is used only if it is the right one.
#include <stdlib.h>
#include <cmath>
#include <limits>

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "data/kept_reference.h"
#include "gpp/placed_problem.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "runtimes/runtime.h"
#include "tests/data/sample.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

// ---- Finding the inputs that come with the project.

/// data/README.md has the hash of every file.
TEST(Bundled, AllAreThere) {
  const std::vector<std::string> expected = {"gpp_si2_mpi3_r2_ipe3", "gpp_si2_offdiag",
                                             "gpp_si2_q0_band1", "gpp_si2_tiny", "gpp_si8_medium"};
  EXPECT_EQ(bundled_inputs(), expected);
  EXPECT_EQ(bundled_input("gpp_si2_tiny"), bundled_input("gpp_si2_tiny.dat"));
  EXPECT_TRUE(contains_all(thrown<roofline::InputError>([] { bundled_input("gpp_si3_tiny"); }),
                           {"gpp_si3_tiny", "gpp_si2_tiny, gpp_si8_medium"}));
  const Input input = read_gpp214(bundled_input());
  EXPECT_EQ(input.ncouls, 402);
  EXPECT_EQ(input.ngpown, 402);
  EXPECT_EQ(input.peinf_ntband_dist, 192);
  EXPECT_EQ(input.terms(), 2LL * 192 * 402 * 402);
  const std::string readme = file_text(GPP_SOURCE_DIR "/data/README.md");
  for (const std::string& name : bundled_inputs())
    EXPECT_TRUE(
        contains(readme, roofline::sha256_of_file(bundled_input(name)) + "  " + name + ".dat"))
        << name;
}

TEST(Bundled, EnvironmentChoosesTheFolder) {
  const test::TemporaryFolder folder;
  setenv("GPP_DATA_DIR", folder.path().c_str(), 1);
  EXPECT_THROW(bundled_input(), roofline::InputError);
  write_gpp214(folder / "mine.dat", sample_input());
  EXPECT_EQ(bundled_input("mine"), folder / "mine.dat");
  EXPECT_EQ(bundled_inputs(), std::vector<std::string>{"mine"});
  unsetenv("GPP_DATA_DIR");
}

// ---- The estimate of memory against what is really taken, and the refusal.

template <class Element>
std::int64_t bytes_in(const std::vector<Element>& values) {
  return static_cast<std::int64_t>(values.capacity() * sizeof(Element));
}

/// All memory for an input, its problem and the host's copy for variants; shared parts count once.
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
  EXPECT_GT(roofline::available_memory(), 1'000'000);
  EXPECT_LT(roofline::available_memory(), std::numeric_limits<std::int64_t>::max());
  EXPECT_NO_THROW(roofline::require_memory(1000, "big.dat", 1000));
  EXPECT_EQ(thrown<roofline::InputError>(
                [] { roofline::require_memory(5'600'000'000, "big.dat", 1'200'000'000); }),
            "big.dat: computing it needs 5.6 GB of memory, but 1.2 GB are available. Free some, "
            "use a machine with more, or use a smaller input.");
}

// ---- The reference against what BerkeleyGW itself computed: records 17 and 18 of the real inputs.

void expect_published(Complex computed, Complex published, Complex magnitude) {
  const double re = std::abs(computed.re - published.re);
  const double im = std::abs(computed.im - published.im);
  EXPECT_LE(re, 1e-12);
  EXPECT_LE(im, 1e-12);
  // The error is relative to the number. A part that cancels to almost nothing has no correct
  // digits, in BerkeleyGW's double precision sum or in ours.
  EXPECT_LE(std::hypot(re, im), 1e-12 * abs(published));
  EXPECT_LE(re, 1e-12 * std::abs(published.re));
  // Each part is also compared with the sum of absolute values.
  EXPECT_LE(re, 1e-13 * (magnitude.re + std::abs(published.re)));
  EXPECT_LE(im, 1e-13 * (magnitude.im + std::abs(published.im)));
}

/// BerkeleyGW's values after the kernel: the earlier values plus our sums.
class Published : public ::testing::TestWithParam<const char*> {};

TEST_P(Published, ReferenceAgreesWithBerkeleyGW) {
  const PreparedProblem problem(read_gpp214(bundled_input(GetParam())));
  const Input& input = problem.input();
  const Reference reference = compute_reference(problem.view());
  for (int iw = 0; iw < input.nfreq(); ++iw) {
    SCOPED_TRACE(::testing::Message() << "iw = " << input.nstart + iw);
    const auto slot = static_cast<std::size_t>(input.nstart - 1 + iw);
    expect_published(input.asxtemp[slot] + reference.sums.asx[iw], input.asxtempref[slot],
                     reference.magnitude.asx[iw]);
    expect_published(input.achtemp[slot] + reference.sums.ach[iw], input.achtempref[slot],
                     reference.magnitude.ach[iw]);
  }
}

INSTANTIATE_TEST_SUITE_P(RealInputs, Published,
                         ::testing::Values("gpp_si2_tiny", "gpp_si2_offdiag", "gpp_si2_q0_band1",
                                           "gpp_si2_mpi3_r2_ipe3", "gpp_si8_medium"),
                         [](const auto& test) { return std::string(test.param); });

// ---- Stored references --------------------------------------------------------------------------

namespace fs = std::filesystem;

class KeptReference : public testing::Test {
 protected:
  ObtainedReference obtain() { return obtain(problem_); }
  ObtainedReference obtain(const PreparedProblem& problem) {
    return obtain_reference(problem.view(), folder_.path(), {}, 0);
  }
  fs::path file() const { return folder_ / folder_.names().at(0); }
  std::string content() const { return test::file_text(file()); }
  void write(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
  }
  /// Expects that the right reference is returned and stored, whatever the file held before.
  void expect_computed_anew() {
    const ObtainedReference again = obtain();
    EXPECT_FALSE(again.kept);
    EXPECT_EQ(again.not_kept, "");
    EXPECT_TRUE(again.reference == first_.reference);
    EXPECT_TRUE(obtain().kept);
  }

  const Input input_ = generate(*find_preset("tiny"), 1, false);
  const PreparedProblem problem_{Input(input_)};
  test::TemporaryFolder folder_;
  const ObtainedReference first_ = obtain();
};

TEST_F(KeptReference, IsComputedOnce) {
  EXPECT_FALSE(first_.kept);
  EXPECT_EQ(first_.not_kept, "");
  EXPECT_TRUE(first_.reference == compute_reference(problem_.view()));
  const ObtainedReference again = obtain();
  EXPECT_TRUE(again.kept);
  EXPECT_EQ(again.seconds, first_.seconds);
  EXPECT_TRUE(again.reference == first_.reference);
  EXPECT_EQ(folder_.names().size(), 1u) << "nothing else is left there";
}

/// A change of any number that the reference depends on selects another file.
TEST_F(KeptReference, IsOfOneProblem) {
  const std::vector<std::pair<const char*, std::function<void(Input&)>>> changes = {
      {"wtilde", [](Input& input) { input.wtilde_array.back().im += 1e-300; }},
      {"I_eps", [](Input& input) { input.I_eps_array.front().re *= 1 + 0x1p-52; }},
      {"aqsn", [](Input& input) { input.aqsntemp[1].im = -input.aqsntemp[1].im; }},
      {"aqsm", [](Input& input) { input.aqsmtemp[1].re += 1; }},
      {"vcoul", [](Input& input) { input.vcoul[2] *= 2; }},
      {"energy", [](Input& input) { input.e_lk += 0x1p-50; }},
      {"occupation", [](Input& input) { input.nvband -= 1; }},
      {"broadening", [](Input& input) { input.sig_gamma *= 2; }},
      {"cutoff", [](Input& input) { input.sexcut *= 2; }},
      {"frequency", [](Input& input) { input.nend -= 1; }},
      {"size", [](Input& input) { input.peinf_ntband_dist -= 1; }}};
  std::size_t files = 1;
  for (const auto& [what, change] : changes) {
    Input input = input_;
    change(input);
    const PreparedProblem other(std::move(input));
    EXPECT_FALSE(obtain(other).kept) << what;
    EXPECT_EQ(folder_.names().size(), ++files) << what;
    EXPECT_TRUE(obtain(other).kept) << what;
  }
  EXPECT_TRUE(obtain().kept);
}

TEST_F(KeptReference, IsNotTakenFromADamagedFileNorFromThatOfAnother) {
  const std::string whole = content();
  std::vector<std::string> wrong = {"", whole.substr(0, 100), whole + "x",
                                    whole.substr(0, whole.size() - 1), std::string(1 << 20, 'x')};
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
    wrong.push_back(whole);
    wrong.back()[at] ^= 1;
  }
  Input input = input_;
  input.vcoul[2] *= 2;
  fs::remove(file());
  obtain(PreparedProblem(std::move(input)));
  wrong.push_back(content());
  fs::remove(file());
  obtain();
  for (const std::string& bytes : wrong) {
    write(bytes);
    expect_computed_anew();
  }
}

TEST_F(KeptReference, ThatCannotBeKeptOrIsNotWorthItIsComputedAllTheSame) {
  const fs::path path = file();
  fs::remove(path);
  fs::create_directory(path);
  const ObtainedReference in_the_way = obtain();
  EXPECT_FALSE(in_the_way.kept);
  EXPECT_NE(in_the_way.not_kept, "");
  EXPECT_TRUE(in_the_way.reference == first_.reference);

  std::ofstream(folder_ / "file") << "no folder";
  const ObtainedReference no_folder =
      obtain_reference(problem_.view(), folder_ / "file" / "references", {}, 0);
  EXPECT_FALSE(no_folder.kept);
  EXPECT_NE(no_folder.not_kept, "");
  EXPECT_TRUE(no_folder.reference == first_.reference);
  for (const std::string& name : folder_.names()) fs::remove_all(folder_ / name);
  const Problem& problem = problem_.view();
  EXPECT_FALSE(obtain_reference(problem, folder_.path(), {}, problem.terms() + 1).kept);
  EXPECT_FALSE(obtain_reference(problem, {}, {}, 0).kept) << "without a folder";
  EXPECT_TRUE(folder_.names().empty());
}

TEST(ReferenceFolder, IsBesideTheRoofs) {
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(reference_folder(), "/cache/gpp/references");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "relative", 1);
  EXPECT_EQ(reference_folder(), "");
}

}  // namespace
}  // namespace gpp::test
