// A device under the control of a test, and variants with faults.
#pragma once

#include <sys/types.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpp/forms/divide.h"
#include "gpp/study/kernel.h"
#include "harness/program/selection.h"
#include "tests/shared.h"

namespace gpp::test {

/// The host's memory as if it were that of a GPU.
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

/// Runs variants on the host, with times and clocks as the test wants them.
class FakeRuntime : public Runtime {
 public:
  FakeRuntime();

  std::string reason;       ///< what unavailable() says
  std::string place_error;  ///< what allocating memory throws, where not empty
  std::string kind = "host";
  long long free = 1LL << 40;  ///< what free_bytes() says
  /// Processes that the device has room for, each with so much memory; 0: any
  /// number.
  int room = 0;
  static constexpr long long bytes_of_a_process = 2LL << 30;
  /// Seconds of the n-th run on any placement, from 0.
  std::function<double(int)> seconds = [](int) { return 0.5; };
  std::function<double(int)> clock = [](int) { return 0.0; };
  /// Seconds that the clock's kernel takes after so many runs; 0: there is none.
  std::function<double(int)> waited = [](int) { return 0.0; };

  std::string unavailable() const override { return reason; }
  DeviceDescription describe() const override;
  long long free_bytes() const override;
  bool make_way() const override { return room == 1; }
  const DeviceMemory& memory() const override { return *memory_; }
  double time(const std::function<void()>& call) const override;
  std::vector<Launch> launches() const override;
  Pulse pulse(double /*seconds*/) const override { return {clock(runs), waited(runs)}; }

  int& runs = shared<int>();
  int& allocations = shared<int>();
  int& most_processes = shared<int>();  ///< that used the device at a time
  std::array<pid_t, 16>& processes = shared<std::array<pid_t, 16>>();  ///< that used it

  /// This process uses the device from now on. Throws where that has no room.
  void let_in() const;

 private:
  int living_processes() const;

  std::unique_ptr<DeviceMemory> memory_;
};

/// A variant "v1", step `step`, of model "fake", that runs `function` on `runtime`. Its source is
/// that of the OpenMP variant of the step, where there is one.
Variant make_variant(const std::string& step, VariantFunction function, const Runtime& runtime);

// ---- The plain loop with one deliberate fault each ----------------------------------------------

/// A term of the loop and its weights, which a faulty variant changes.
struct LoopStep {
  const Problem& p;
  int n1, igp, ig, iw;
  Complex w, I_eps;
  double wx;
  Complex m;
  double vcoul, occ, half;
  Term<double> term;

  void drop_if(bool wrong) { term = wrong ? Term<double>{} : term; }
  void take(Complex pole, double energy) { term = divide(pole, I_eps, energy, p.limits); }
};

/// What a variant does otherwise than the plain loop; each may be null.
struct Fault {
  const char* name = "";  ///< in snake case
  void (*compute)(LoopStep& step) = nullptr;
  void (*see)(Problem& problem) = nullptr;  ///< changes loop ends and limits
  void (*spoil)(Sums& sums, int nfreq) = nullptr;
};

Sums sums_with(const Fault& fault, Problem problem);

struct FaultyVariant {
  std::string fault;
  VariantFunction function;
};

/// The loop without a fault: what all others differ from.
Sums right_sums(const Problem& problem);

/// As a runtime does whose device has no memory left.
Sums throws(const Problem& problem);

/// Every fault that the check or the study must catch.
const std::vector<FaultyVariant>& faulty_variants();

}  // namespace gpp::test
