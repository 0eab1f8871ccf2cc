// Files tell who may use counters: the driver's parameters, capabilities, processes.
#include "roofline/permission.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/temporary_folder.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

class Permission : public testing::Test {
 protected:
  fs::path write(const fs::path& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  gpp::test::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(Permission, ReadsTheDriversParameters) {
  EXPECT_EQ(counters_restricted(write("on",
                                      "ResmanDebugLevel: 4294967295\n"
                                      "RmProfilingAdminOnly: 1\nTCEBypassMode: 0\n")),
            true);
  EXPECT_EQ(counters_restricted(write("off", "RmProfilingAdminOnly: 0\n")), false);
  EXPECT_EQ(counters_restricted(write("silent", "TCEBypassMode: 0\n")), std::nullopt);
  EXPECT_EQ(counters_restricted(write("empty", "RmProfilingAdminOnly:\n")), std::nullopt);
  EXPECT_EQ(counters_restricted(folder_ / "gone"), std::nullopt);
}

TEST_F(Permission, KnowsTheCapabilitiesThatLiftTheRestriction) {
  EXPECT_TRUE(is_administrator(write("root", "Name:\tgpp\nCapEff:\t000001ffffffffff\n")));
  EXPECT_TRUE(is_administrator(write("sys_admin", "CapEff:\t0000000000200000\n")));
  EXPECT_TRUE(is_administrator(write("perfmon", "CapEff:\t0000004000000000\n")));
  // A container's usual set, root's included, has neither.
  EXPECT_FALSE(is_administrator(write("container", "CapEff:\t00000000a80425fb\n")));
  EXPECT_FALSE(is_administrator(write("user", "CapEff:\t0000000000000000\n")));
  EXPECT_FALSE(is_administrator(write("broken", "CapEff:\tnonsense\n")));
  EXPECT_FALSE(is_administrator(folder_ / "gone"));
}

TEST_F(Permission, NobodyInAContainerIsToldToBeRoot) {
  for (const Container container :
       {Container::docker, Container::kubernetes, Container::apptainer, Container::other}) {
    const std::string text = missing_right(container);
    EXPECT_EQ(text.find("root"), std::string::npos) << text;
    EXPECT_NE(text.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos) << text;
  }
  EXPECT_NE(missing_right(Container::docker).find("docker run --cap-add"), std::string::npos);
  EXPECT_NE(missing_right(Container::kubernetes).find("securityContext"), std::string::npos);
  EXPECT_NE(missing_right(Container::none).find("as root"), std::string::npos);
}

TEST_F(Permission, KnowsContainersByTheirMarks) {
  for (const char* variable : {"KUBERNETES_SERVICE_HOST", "APPTAINER_CONTAINER", "container",
                               "SINGULARITY_CONTAINER", "CH_RUNNING", "SHIFTER_RUNTIME"})
    unsetenv(variable);
  const char* const mounts = "proc/self/mountinfo";
  write(mounts,
        "22 27 0:21 / /proc rw - proc proc rw\n27 1 8:1 / / rw shared:1 - ext4 /dev/sda rw\n");
  EXPECT_EQ(container_here(folder_), Container::none);
  write(mounts, "27 1 0:9 / / rw,relatime master:1 - overlay overlay rw,lowerdir=a\n");
  EXPECT_EQ(container_here(folder_), Container::other);
  write(".dockerenv", "");
  EXPECT_EQ(container_here(folder_), Container::docker);
  write(".singularity.d/runscript", "");
  EXPECT_EQ(container_here(folder_), Container::apptainer);
  setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
  EXPECT_EQ(container_here(folder_), Container::kubernetes);
  unsetenv("KUBERNETES_SERVICE_HOST");
}

TEST_F(Permission, FindsDcgmAmongTheProcesses) {
  write("1/comm", "init\n");
  write("self/comm", "nv-hostengine\n");  // no process number
  EXPECT_FALSE(dcgm_running(folder_));
  write("4321/comm", "nv-hostengine\n");
  EXPECT_TRUE(dcgm_running(folder_));
  EXPECT_FALSE(dcgm_running(folder_ / "gone"));
}

}  // namespace
}  // namespace roofline
