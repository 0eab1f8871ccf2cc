// The common part of the runtimes of devices.
#include "runtimes/runtime.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "runtimes/runtimes.h"

namespace gpp {
namespace {

TEST(RequireDeviceMemory, IsContentWhereTheProblemJustFits) {
  EXPECT_NO_THROW(require_device_memory(1600, 1600));
  EXPECT_NO_THROW(require_device_memory(1600, 0)) << "not known";
}

TEST(RequireDeviceMemory, SaysHowMuchIsNeededAndHowMuchIsFree) {
  try {
    require_device_memory(1'600'000'000, 1'050'000'000);
    FAIL() << "1.6 GB went into 1.1 GB";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("takes 1.6 GB"), std::string::npos) << text;
    EXPECT_NE(text.find("only 1.1 GB are free"), std::string::npos) << text;
  }
}

TEST(HostRuntime, TimesOneCall) {
  int calls = 0;
  EXPECT_GE(host_runtime().time([&calls] { ++calls; }), 0.0);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(host_runtime().unavailable(), "");
  EXPECT_EQ(host_runtime().describe().kind, "host");
}

TEST(PlacedArrays, AreCopiesThatCanBeRepaired) {
  const std::vector<int> source = {1, 2, 3};
  PlacedArrays arrays(host_memory());
  int* placed = static_cast<int*>(arrays.add("numbers", source.data(), 3 * sizeof(int)));
  EXPECT_NE(placed, source.data());
  EXPECT_EQ(arrays.repair(), "");
  placed[2] = 4;
  EXPECT_EQ(arrays.repair(), "numbers");
  EXPECT_EQ(placed[2], 3);
  static_cast<int*>(arrays.add_output(sizeof(int)))[0] = 5;
  EXPECT_EQ(arrays.repair(), "") << "outputs are there to be written";
}

}  // namespace
}  // namespace gpp
