// Measures the processor's roofs with all cores that this process may use.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <string>

#include "roofline/base/machine.h"
#include "roofline/ceilings/host/arithmetic.h"
#include "roofline/ceilings/host/processor.h"
#include "roofline/ceilings/host/sweep.h"
#include "roofline/ceilings/host/team.h"
#include "roofline/ceilings/levels.h"
#include "roofline/ceilings/measure.h"

namespace roofline {
namespace host {
namespace {

constexpr double seconds_per_run = 1e-3;
constexpr int runs = 50;
constexpr double share_of_arithmetic = 0.1;  // share of the total time, for progress

#if defined(__FMA__) || defined(__aarch64__)
constexpr bool has_fma = true;
#else
constexpr bool has_fma = false;
#endif

/// The number of steps for a run of the right length.
long long calibrated_steps(const ArithmeticKernel& kernel) {
  for (long long steps = 1000;; steps *= 4) {
    const auto start = std::chrono::steady_clock::now();
    volatile double result = kernel.run(steps);
    static_cast<void>(result);
    const auto stop = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(stop - start).count();
    if (seconds > 0.1 * seconds_per_run)
      return std::llround(static_cast<double>(steps) * seconds_per_run / seconds);
  }
}

/// A label such as "FP64 256-bit, FMA".
std::string label_of(const ArithmeticKernel& kernel) {
  const std::string width =
      kernel.bytes == kernel.bytes_of_element ? "scalar" : fmt::format("{}-bit", 8 * kernel.bytes);
  const char* const operation = kernel.operation == Operation::fused      ? "FMA"
                                : kernel.operation == Operation::separate ? "no FMA"
                                                                          : "division";
  return fmt::format("FP{} {}, {}", 8 * kernel.bytes_of_element, width, operation);
}

std::string definition_of(const ArithmeticKernel& kernel) {
  const std::string on = kernel.bytes == kernel.bytes_of_element
                             ? "one number at a time"
                             : fmt::format("vectors of {} bits", 8 * kernel.bytes);
  const char* const step = kernel.operation == Operation::fused ? "x = x*a + b; an FMA counts 2"
                           : kernel.operation == Operation::separate
                               ? "y = x*a, x = y + b"
                               : "x = a/x; each element divided counts 1, no floating-point roof";
  std::string text =
      fmt::format("Independent chains on {}, one thread per CPU: {}. Best of {}.", on, step, runs);
  if (kernel.operation == Operation::fused && !has_fma)
    text += " This program was built for processors without FMA.";
  return text;
}

/// FLOP/s at the clock. Empty for an unknown processor, if its widest vectors are not this
/// program's, and for divisions, whose rates the table lacks.
std::optional<double> theoretical_rate(const ArithmeticKernel& kernel, const Processor& processor,
                                       double clock_mhz) {
  const std::optional<PerCycle>& core = processor.per_cycle;
  if (!core || core->vector_bytes != vector_bytes || !(clock_mhz > 0)) return std::nullopt;
  const Rates& rates = kernel.bytes == vector_bytes ? core->widest : core->narrower;
  const double elements = kernel.bytes / kernel.bytes_of_element;
  const double per_cycle = 1e6 * clock_mhz * processor.cores * elements;
  if (kernel.operation == Operation::separate) return per_cycle * rates.separate;
  if (kernel.operation == Operation::fused && has_fma) return per_cycle * 2 * rates.fused;
  return std::nullopt;
}

Ceiling arithmetic_ceiling(const ArithmeticKernel& kernel, const Processor& processor,
                           const std::vector<int>& cpus) {
  const long long steps = calibrated_steps(kernel);
  std::vector<double> results(cpus.size());
  const Best best =
      best_of(cpus, runs, [&](std::size_t thread) { results[thread] = kernel.run(steps); });
  const double rate = static_cast<double>(cpus.size()) * static_cast<double>(steps) *
                      kernel.operations_per_step / best.seconds;
  const auto theoretical = theoretical_rate(kernel, processor, best.clock_mhz);
  return {kernel.name,
          label_of(kernel),
          CeilingKind::compute,
          rate,
          theoretical,
          best.clock_mhz,
          definition_of(kernel) +
              (theoretical ? " Theoretical: cores x operations per cycle x clock." : ""),
          {}};
}

/// The cache levels and DRAM. Capacities are one core's share.
std::vector<LevelDescription> levels_of(const Processor& processor, double clock_mhz) {
  std::vector<LevelDescription> levels;
  for (const Cache& cache : processor.caches)
    levels.push_back({fmt::format("l{}", cache.level),
                      fmt::format("L{}", cache.level),
                      cache.bytes / cache.cpus,
                      {}});
  if (levels.empty()) levels = {{"l1", "L1", 0, {}}, {"l2", "L2", 0, {}}, {"l3", "L3", 0, {}}};
  const std::optional<PerCycle>& core = processor.per_cycle;
  if (core && core->vector_bytes == vector_bytes && clock_mhz > 0) {
    const double per_byte = 1e6 * clock_mhz * processor.cores;
    for (LevelDescription& level : levels) {
      if (level.name == "l1") level.theoretical = per_byte * core->load_bytes;
      if (level.name == "l2") level.theoretical = per_byte * core->l2_bytes;
    }
  }
  levels.push_back({"dram", "DRAM", 0, {}});
  return levels;
}

const char* const read_definition =
    "All cores load full vectors, each cyclically from memory of its own; best of 3 to 30 runs at "
    "each working set; the median of the sweep's plateau. Theoretical (L1, L2): cores x bytes per "
    "cycle x clock.";

class HostBenchmarks : public Benchmarks {
 public:
  std::string unavailable() const override { return {}; }

  DeviceIdentity identity() const override {
    const std::vector<int> cpus = allowed_cpus();
    const Processor processor = this_processor(cpus);
    return {processor.name, "host", "",
            fmt::format("{} cores, {} threads, {}-bit vectors", processor.cores, cpus.size(),
                        8 * vector_bytes)};
  }

 private:
  void add_ceilings(Ceilings& ceilings, const Progress& progress) const override {
    const std::vector<int> cpus = allowed_cpus();
    const Processor processor = this_processor(cpus);
    for (const auto& kernels : {fused_kernels(), separate_kernels(), division_kernels()})
      for (const ArithmeticKernel& kernel : kernels) {
        if (progress) progress(label_of(kernel), 0);
        ceilings.list.push_back(arithmetic_ceiling(kernel, processor, cpus));
      }
    const std::vector<std::size_t> sets =
        working_sets(processor, cpus.size(), 0.25 * free_memory());
    const Sweep sweep = measure_sweep(cpus, sets, progress, share_of_arithmetic);
    add_bandwidths(ceilings, sweep.points, levels_of(processor, sweep.clock_mhz), sweep.clock_mhz,
                   read_definition);
  }
};

}  // namespace
}  // namespace host

const Benchmarks& host_benchmarks() {
  static const host::HostBenchmarks benchmarks;
  return benchmarks;
}

}  // namespace roofline
