#include "tests/harness/fake_runtime.h"

#include <stdexcept>

namespace gpp::test {
namespace {

class FakePlacement : public Placement {
 public:
  FakePlacement(const FakeRuntime& runtime, const PreparedProblem& problem)
      : runtime_(runtime), problem_(problem) {}

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
  const PreparedProblem& problem_;
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
