// A GPU's memory as a player sees it: problems when they are revealed, what is taken back, and what
// is at another address there.
#include "harness/judge/held_player.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "harness/kernel.h"
#include "tests/harness/fake_runtime.h"

namespace gpp::test {
namespace {

/// A device in host memory, with addresses as names.
class DeviceOnHost : public FarMemory {
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

class RuntimeOnHost : public FakeRuntime {
 public:
  const DeviceMemory& memory() const override { return memory_; }

 private:
  DeviceOnHost memory_;
};

class ArenaOfGpu : public testing::Test {
 protected:
  /// The player's address for a place in the referee's memory.
  double* seen(const double* placed) const {
    std::byte* opened = nullptr;
    const std::vector<std::byte> name = arena.name();
    std::memcpy(&opened, name.data(), sizeof(opened));
    return reinterpret_cast<double*>(opened +
                                     (reinterpret_cast<std::uint64_t>(placed) - arena.address()));
  }
  void place(double* memory, double value) const {
    arena.memory().write(memory, &value, sizeof(value));
  }

  RuntimeOnHost runtime;
  Arena arena{runtime, {1000, 1000}};
  double* input = static_cast<double*>(arena.memory().allocate(sizeof(double)));
  double* output = static_cast<double*>(arena.memory().allocate_output(sizeof(double)));
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
  arena.pieces().spoil_outputs();
  arena.reveal();
  *seen(output) = 3;
  EXPECT_TRUE(std::isnan(*output)) << "not before it is taken";
  EXPECT_TRUE(arena.collect());
  EXPECT_EQ(*output, 3);
  *seen(input) = 4;
  EXPECT_FALSE(arena.collect());
  EXPECT_EQ(*input, 1) << "what is judged by stays";
}

/// A problem's type lists each of its members that is an address in the arena (Relocation).
TEST(Relocation, MovesEveryArrayOfEveryKernel) {
  const RuntimeOnHost runtime;
  for (const Kernel* kernel : kernels()) {
    const Arena arena(runtime, {1 << 26, 1 << 26});
    const auto moved = [&arena](const void* address) -> void* {
      const bool inside = std::ranges::any_of(arena.pieces().pieces(), [address](const auto& one) {
        return address >= one.data() && address < one.data() + one.size();
      });
      return static_cast<std::byte*>(const_cast<void*>(address)) + (inside ? 1 : 0);
    };
    const auto subject = kernel->obtain({.file = {}, .preset = "tiny"});
    const auto placement = subject->place(arena);
    for (const Variant& variant : kernel->catalog())
      for (const Build& build : variant.builds)
        placement->run(variant, build.call.done_by([&](auto problem, auto /*answer*/) {
          std::vector<std::byte> relocated(problem.begin(), problem.end()), scanned = relocated;
          build.call.relocate(relocated.data(), moved);
          for (std::size_t at = 0; at + sizeof(void*) <= scanned.size(); at += sizeof(void*)) {
            const void* word = nullptr;
            std::memcpy(&word, scanned.data() + at, sizeof(word));
            word = moved(word);
            std::memcpy(scanned.data() + at, &word, sizeof(word));
          }
          EXPECT_NE(scanned, std::vector<std::byte>(problem.begin(), problem.end()));
          EXPECT_EQ(relocated, scanned) << kernel->name << ' ' << variant.id;
        }));
  }
}

}  // namespace
}  // namespace gpp::test
