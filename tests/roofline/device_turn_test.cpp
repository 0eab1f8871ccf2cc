// Programs that measure on one GPU take turns.
#include "roofline/base/device_turn.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include "roofline/base/error.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

constexpr const char* place = "0000:3b:00.0";

class DeviceTurnTest : public testing::Test {
 protected:
  /// As another program would, which was not started by the one whose turn it is.
  DeviceTurn as_another(double seconds) {
    unsetenv("ROOFLINE_GPU_TURN");
    return DeviceTurn(
        place, "gpp run", seconds, [this](const std::string& line) { told = line; }, folder.path());
  }
  std::string refusal(double seconds) {
    return thrown<InputError>([&] { as_another(seconds); });
  }

  TemporaryFolder folder;
  std::string told;
  std::optional<DeviceTurn> first{std::in_place, place, "gpp study", 0.0, [](const std::string&) {},
                                  folder.path()};
};

TEST_F(DeviceTurnTest, TheSecondIsToldWhoIsThere) {
  const std::string refused = refusal(0);
  EXPECT_TRUE(contains_all(
      refused, {"gpp study of ", "(process " + std::to_string(getpid()) + ")", "--wait SECONDS"}));
  EXPECT_EQ(told, "") << "it did not wait";
}

TEST_F(DeviceTurnTest, TheSecondWaitsForTheEndOfTheFirst) {
  std::atomic<bool> over = false;
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    over = true;
    first.reset();
  });
  as_another(600);
  EXPECT_TRUE(over);
  end.join();
  EXPECT_TRUE(contains(told, "measures on this GPU; waiting for its end, up to 600 s (--wait)"));
}

TEST_F(DeviceTurnTest, ItWaitsNoLongerThanItIsTold) {
  EXPECT_TRUE(contains(refusal(0.05), "gpp study of "));
  EXPECT_TRUE(contains(told, "waiting"));
}

TEST_F(DeviceTurnTest, AProgramOfOnesOwnDoesNotWaitForItsParent) {
  std::string line;
  EXPECT_NO_THROW(DeviceTurn(
      place, "gpp run", 0, [&](const std::string& text) { line = text; }, folder.path()));
  EXPECT_EQ(line, "");
  first.reset();
  EXPECT_EQ(std::getenv("ROOFLINE_GPU_TURN"), nullptr) << "a later program is no longer its child";
}

TEST_F(DeviceTurnTest, AProgramWithTurnsOnSeveralGpusHandsDownAll) {
  const auto silent = [](const std::string&) {};
  {
    const DeviceTurn second("0000:4c:00.0", "gpp run", 0, silent, folder.path());
    EXPECT_STREQ(std::getenv("ROOFLINE_GPU_TURN"), "0000:3b:00.0 0000:4c:00.0");
    EXPECT_NO_THROW(DeviceTurn("0000:4c:00.0", "gpp run", 0, silent, folder.path()));
  }
  EXPECT_STREQ(std::getenv("ROOFLINE_GPU_TURN"), "0000:3b:00.0");
}

TEST_F(DeviceTurnTest, AFileThatSomebodyPlantedIsNotWrittenTo) {
  first.reset();
  const auto file = folder.path() / "roofline-gpu-0000-3b-00-0.lock",
             other = folder.path() / "other";
  std::ofstream(other) << "precious";
  std::filesystem::create_hard_link(other, file);
  EXPECT_NO_THROW(as_another(0));
  EXPECT_EQ(std::filesystem::file_size(other), 8u);
  std::filesystem::remove(file);
  std::filesystem::create_symlink(other, file);
  EXPECT_NO_THROW(as_another(0));
  EXPECT_TRUE(contains(told, "others cannot be told that this GPU is in use"));
  EXPECT_EQ(std::filesystem::file_size(other), 8u);
  std::filesystem::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_NO_THROW(as_another(0)) << "it does not hang either";
}

TEST_F(DeviceTurnTest, AnotherGpuIsFree) {
  unsetenv("ROOFLINE_GPU_TURN");
  EXPECT_NO_THROW(DeviceTurn(
      "0000:4c:00.0", "gpp run", 0, [](const std::string&) {}, folder.path()));
}

TEST_F(DeviceTurnTest, HostileNotesAreShownHarmless) {
  const auto file = folder.path() / "roofline-gpu-0000-3b-00-0.lock";
  std::ofstream(file) << "\x1b[31m" << std::string(10'000, 'x');
  const std::string refused = refusal(0);
  EXPECT_FALSE(contains(refused, "\x1b"));
  EXPECT_LT(refused.size(), 500u);
}

TEST_F(DeviceTurnTest, WithoutAPlaceForLocksNobodyWaits) {
  unsetenv("ROOFLINE_GPU_TURN");
  std::string line;
  EXPECT_NO_THROW(DeviceTurn(
      place, "gpp run", 5, [&](const std::string& text) { line = text; },
      folder.path() / "no-such-folder"));
  EXPECT_TRUE(contains(line, "others cannot be told that this GPU is in use: "));
  EXPECT_EQ(std::getenv("ROOFLINE_GPU_TURN"), nullptr);
}

}  // namespace
}  // namespace roofline::test
