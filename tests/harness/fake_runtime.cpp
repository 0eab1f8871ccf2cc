#include "tests/harness/fake_runtime.h"

#include <memory>
#include <stdexcept>

namespace gpp::test {
namespace {

/// The host's, but it tells when it is read.
class FakeMemory : public FarMemory {
 public:
  explicit FakeMemory(const FakeRuntime& runtime) : runtime_(runtime) {}
  void* allocate(std::size_t bytes) const override {
    if (!runtime_.place_error.empty()) throw std::runtime_error(runtime_.place_error);
    ++runtime_.allocations;
    return FarMemory::allocate(bytes);
  }
  void read(void* host, const void* device, std::size_t bytes) const override {
    if (runtime_.on_read) runtime_.on_read();
    FarMemory::read(host, device, bytes);
  }

 private:
  const FakeRuntime& runtime_;
};

}  // namespace

FakeRuntime::FakeRuntime() : memory_(std::make_unique<FakeMemory>(*this)) {}

DeviceDescription FakeRuntime::describe() const {
  DeviceDescription device;
  device.name = "fake device";
  device.kind = kind;
  return device;
}

double FakeRuntime::time(const std::function<void()>& call) const {
  const int number = runs++;
  call();
  return seconds(number);
}

std::vector<Launch> FakeRuntime::launches() const {
  return {{.kernel = "fake", .blocks = 7, .threads_per_block = 32}};
}

Variant make_variant(const std::string& step, VariantFunction function, const Runtime& runtime) {
  std::string source = "variants/fake/" + step + ".cpp", operations;
  for (const Variant& variant : catalog()) {
    if (variant.step != step || variant.model != "omp") continue;
    source = variant.source;
    operations = variant.operations;
  }
  return {"v1", step, "fake", source, {{"host", call_of(function), &runtime}}, "", {}, operations};
}

}  // namespace gpp::test
