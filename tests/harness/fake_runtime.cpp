#include "tests/harness/fake_runtime.h"

#include <stdexcept>

namespace gpp::test {
namespace {

/// The host's, but it tells when it is read.
class FakeMemory : public DeviceMemory {
 public:
  explicit FakeMemory(const FakeRuntime& runtime) : runtime_(runtime) {}
  void* allocate(std::size_t bytes) const override { return host_memory().allocate(bytes); }
  void release(void* memory) const noexcept override { host_memory().release(memory); }
  void write(void* device, const void* host, std::size_t bytes) const override {
    host_memory().write(device, host, bytes);
  }
  void read(void* host, const void* device, std::size_t bytes) const override {
    if (runtime_.on_read) runtime_.on_read();
    host_memory().read(host, device, bytes);
  }

 private:
  const FakeRuntime& runtime_;
};

class FakePlacement : public Placement {
 public:
  FakePlacement(const FakeRuntime& runtime, const PreparedProblem& problem)
      : runtime_(runtime), memory_(runtime), problem_(problem, memory_) {}

  PlacedProblem& problem() override { return problem_; }

  Measurement run(VariantFunction function) override {
    const int number = runtime_.runs++;
    return {function(problem_.view()), runtime_.seconds(number)};
  }
  std::vector<Launch> launches() const override {
    return {{.kernel = "fake", .blocks = 7, .threads_per_block = 32}};
  }
  double clock_mhz() const override { return runtime_.clock(runtime_.runs); }

 private:
  const FakeRuntime& runtime_;
  FakeMemory memory_;
  PlacedProblem problem_;
};

}  // namespace

DeviceDescription FakeRuntime::describe() const {
  DeviceDescription device;
  device.name = "fake device";
  device.kind = kind;
  return device;
}

std::unique_ptr<Placement> FakeRuntime::place(const PreparedProblem& problem) const {
  ++placements;
  if (!place_error.empty()) throw std::runtime_error(place_error);
  return std::make_unique<FakePlacement>(*this, problem);
}

Variant make_variant(const std::string& step, VariantFunction function, const Runtime& runtime) {
  return {"v1", step, "fake", "variants/fake/" + step + ".cpp", {{"host", function, &runtime}}, ""};
}

}  // namespace gpp::test
