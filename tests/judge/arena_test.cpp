// A GPU's memory as a player sees it: problems when they are revealed, and what is taken back.
#include "harness/judge/arena.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/harness/fake_runtime.h"

namespace gpp::test {
namespace {

/// A device in the host's memory, which names places by their addresses.
class DeviceOnHost : public FarMemory, public DeviceCopies {
 public:
  std::vector<std::byte> name_for_others(void* memory) const override {
    std::vector<std::byte> name(sizeof(memory));
    std::memcpy(name.data(), &memory, sizeof(memory));
    return name;
  }
  void copy(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  bool same(const void* one, const void* other, std::size_t bytes) const override {
    return std::memcmp(one, other, bytes) == 0;
  }
};

class RuntimeOnHost : public Runtime {
 public:
  std::string unavailable() const override { return {}; }
  DeviceDescription describe() const override { return {}; }
  long long free_bytes() const override { return 0; }
  const DeviceMemory& memory() const override { return memory_; }
  double time(const std::function<void()>& /*call*/) const override { return 0; }
  std::vector<Launch> launches() const override { return {}; }
  Pulse pulse() const override { return {0, 0.5}; }

 private:
  DeviceOnHost memory_;
};

class ArenaOfGpu : public testing::Test {
 protected:
  /// Where the player has what lies there in the referee's memory.
  double* seen(const double* placed) const {
    std::byte* opened = nullptr;
    const std::vector<std::byte> name = arena.name();
    std::memcpy(&opened, name.data(), sizeof(opened));
    return reinterpret_cast<double*>(
        opened + (reinterpret_cast<const std::byte*>(placed) - arena.inputs().data.get()));
  }
  void place(double* memory, double value) const { arena.write(memory, &value, sizeof(value)); }

  RuntimeOnHost runtime;
  Arena arena{runtime, {1000, 1000}};
  double* input = static_cast<double*>(arena.allocate(sizeof(double)));
  double* output = static_cast<double*>(arena.allocate_output(sizeof(double)));
};

TEST_F(ArenaOfGpu, PlayersSeeWhatIsDrawnWhenItIsRevealed) {
  place(input, 1);
  arena.reveal();
  place(input, 2);
  EXPECT_EQ(*seen(input), 1) << "it is seen while it is drawn";
  arena.reveal();
  EXPECT_EQ(*seen(input), 2);
}

TEST_F(ArenaOfGpu, TakesAnswersAndFindsWrittenInputs) {
  place(input, 1);
  arena.wipe_outputs();
  arena.reveal();
  *seen(output) = 3;
  EXPECT_EQ(*output, 0) << "not before it is taken";
  EXPECT_TRUE(arena.collect());
  EXPECT_EQ(*output, 3);
  *seen(input) = 4;
  EXPECT_FALSE(arena.collect());
  EXPECT_EQ(*input, 1) << "what is judged by stays";
}

}  // namespace
}  // namespace gpp::test
