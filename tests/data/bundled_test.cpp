// Finding the inputs that come with the project.
#include "data/bundled.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>

#include "data/gpp214.h"
#include "data/sha256.h"
#include "roofline/base/error.h"
#include "tests/data/sample.h"
#include "tests/temporary_folder.h"

namespace gpp::testing {
namespace {

TEST(Bundled, AllAreThere) {
  const std::vector<std::string> expected = {"gpp_si2_mpi3_r2_ipe3", "gpp_si2_offdiag",
                                             "gpp_si2_q0_band1", "gpp_si2_tiny", "gpp_si8_medium"};
  EXPECT_EQ(bundled_inputs(), expected);
}

TEST(Bundled, DefaultIsTheMediumOne) {
  const Input input = read_gpp214(bundled_input());
  EXPECT_EQ(input.ncouls, 402);
  EXPECT_EQ(input.ngpown, 402);
  EXPECT_EQ(input.peinf_ntband_dist, 192);
  EXPECT_EQ(input.terms(), 2LL * 192 * 402 * 402);
}

TEST(Bundled, NamedWithOrWithoutExtension) {
  EXPECT_EQ(bundled_input("gpp_si2_tiny"), bundled_input("gpp_si2_tiny.dat"));
}

TEST(Bundled, UnknownNameListsThoseThereAre) {
  try {
    bundled_input("gpp_si3_tiny");
    ADD_FAILURE() << "found";
  } catch (const roofline::InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("gpp_si3_tiny"), std::string::npos) << message;
    EXPECT_NE(message.find("gpp_si2_tiny, gpp_si8_medium"), std::string::npos) << message;
  }
}

/// Sets GPP_DATA_DIR for the time of a test.
class DataDirectory {
 public:
  explicit DataDirectory(const std::string& folder) { setenv("GPP_DATA_DIR", folder.c_str(), 1); }
  ~DataDirectory() { unsetenv("GPP_DATA_DIR"); }
};

TEST(Bundled, EnvironmentChoosesTheFolder) {
  const test::TemporaryFolder folder;
  const DataDirectory chosen(folder.path().string());
  EXPECT_THROW(bundled_input(), roofline::InputError);
  write_gpp214(folder / "mine.dat", sample_input());
  EXPECT_EQ(bundled_input("mine"), folder / "mine.dat");
  EXPECT_EQ(bundled_inputs(), std::vector<std::string>{"mine"});
}

/// data/README.md lists the hash of every file.
TEST(Bundled, HashesStandInTheReadme) {
  const std::string readme = file_content(GPP_SOURCE_DIR "/data/README.md");
  for (const std::string& name : bundled_inputs())
    EXPECT_NE(readme.find(sha256_of_file(bundled_input(name)) + "  " + name + ".dat"),
              std::string::npos)
        << name;
}

}  // namespace
}  // namespace gpp::testing
