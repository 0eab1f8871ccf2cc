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
  unsetenv("KUBERNETES_SERVICE_HOST");
  EXPECT_FALSE(in_container(folder_));
  write(".dockerenv", "");
  EXPECT_TRUE(in_container(folder_));
  EXPECT_EQ(missing_right(true).find("root"), std::string::npos);
  EXPECT_NE(missing_right(true).find("whoever starts this container"), std::string::npos);
  EXPECT_NE(missing_right(false).find("as root"), std::string::npos);
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
