// A device controlled by a test, and variants with faults.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpp/study/kernel.h"
#include "harness/measure/selection.h"

namespace gpp::test {

/// Host memory that behaves like a GPU's.
class FarMemory : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes) const override { return host_memory().allocate(bytes); }
  void release(void* memory) const noexcept override { host_memory().release(memory); }
  void write(void* device, const void* host, std::size_t bytes) const override {
    host_memory().write(device, host, bytes);
  }
  void read(void* host, const void* device, std::size_t bytes) const override {
    host_memory().read(host, device, bytes);
  }
};

/// Runs variants on the host, with times and clocks set by the test.
class FakeRuntime : public Runtime {
 public:
  FakeRuntime();

  std::string reason;       ///< result of unavailable()
  std::string place_error;  ///< error of allocations, unless empty
  std::string kind = "host";
  long long free = 1'000'000'000;  ///< result of free_bytes()
  /// The seconds of the n-th run, from 0.
  std::function<double(int)> seconds = [](int) { return 0.5; };
  std::function<double(int)> clock = [](int) { return 0.0; };
  /// The seconds of the clock's kernel after that many runs; 0: none.
  std::function<double(int)> waited = [](int) { return 0.0; };
  std::function<void()> on_read;  ///< if set, called on reads

  std::string unavailable() const override { return reason; }
  DeviceDescription describe() const override;
  long long free_bytes() const override { return free; }
  const DeviceMemory& memory() const override { return *memory_; }
  double time(const std::function<void()>& call) const override;
  std::vector<Launch> launches() const override;
  Pulse pulse() const override { return {clock(runs), waited(runs)}; }

  mutable int runs = 0;
  mutable std::atomic<int> allocations = 0;

 private:
  std::unique_ptr<DeviceMemory> memory_;
};

/// A variant "v1", step `step`, of model "fake", which runs `function` on `runtime`. Its source is
/// that of OpenMP's variant of the step, if there is one.
Variant make_variant(const std::string& step, VariantFunction function, const Runtime& runtime);

// ---- The plain loop with one deliberate fault each ----------------------------------------------

struct FaultyVariant {
  std::string fault;  ///< name of the fault in snake case
  VariantFunction function;
};

/// The loop without a fault.
Sums right_sums(const Problem& problem);

/// Throws like a runtime without free memory.
Sums throws(const Problem& problem);

/// All faults that the check or the study must find.
const std::vector<FaultyVariant>& faulty_variants();

}  // namespace gpp::test
