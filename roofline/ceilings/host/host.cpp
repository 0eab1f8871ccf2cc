// Measures the processor's roofs with all cores that this process may use.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <string>

#include "roofline/base/machine.h"
#include "roofline/ceilings/host/chains.h"
#include "roofline/ceilings/host/processor.h"
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
    const double start = steady_seconds();
    volatile double result = kernel.run(steps);
    static_cast<void>(result);
    const double seconds = steady_seconds() - start;
    if (seconds > 0.1 * seconds_per_run)
      return std::llround(static_cast<double>(steps) * seconds_per_run / seconds);
  }
}

/// Names such as "fp64_fma" for the widest vectors, "fp64_256_no_fma" for smaller ones,
/// "fp64_scalar_fma" and "fp64_div_scalar"; labels such as "FP64 256-bit, FMA".
Ceiling described(const ArithmeticKernel& kernel) {
  struct Words {
    const char *name, *label, *step;
  };
  constexpr Words words[] = {
      {"fma", "FMA", "x = x*a + b; an FMA counts 2"},
      {"no_fma", "no FMA", "y = x*a, x = y + b"},
      {"div", "division", "x = a/x; each element divided counts 1, no floating-point roof"}};
  const auto& [name, label, step] = words[static_cast<std::size_t>(kernel.operation)];
  const bool scalar = kernel.bytes == kernel.bytes_of_element,
             fused = kernel.operation == Operation::fused;
  const int bits = 8 * kernel.bytes, precision = 8 * kernel.bytes_of_element;
  const std::string width = scalar                        ? "scalar_"
                            : kernel.bytes < vector_bytes ? fmt::format("{}_", bits)
                                                          : "";
  Ceiling roof;
  roof.name = kernel.operation == Operation::division
                  ? fmt::format("fp{}_div{}", precision, scalar ? "_scalar" : "")
                  : fmt::format("fp{}_{}{}", precision, width, name);
  roof.label =
      fmt::format("FP{} {}, {}", precision, scalar ? "scalar" : fmt::format("{}-bit", bits), label);
  roof.definition = fmt::format(
      "Independent chains on {}, one thread per CPU: {}. Best of {}.{}",
      scalar ? "one number at a time" : fmt::format("vectors of {} bits", bits), step, runs,
      fused && !has_fma ? " This program was built for processors without FMA." : "");
  return roof;
}

/// FLOP of all cores per cycle. 0 for an unknown processor, if its widest vectors are not this
/// program's, and for divisions, whose rates the table lacks.
double per_cycle(const ArithmeticKernel& kernel, const Processor& processor) {
  const std::optional<PerCycle>& core = processor.per_cycle;
  if (!core || core->vector_bytes != vector_bytes) return 0;
  const Rates& rates = kernel.bytes == vector_bytes ? core->widest : core->narrower;
  const double elements = 1.0 * processor.cores * kernel.bytes / kernel.bytes_of_element;
  if (kernel.operation == Operation::separate) return elements * rates.separate;
  return kernel.operation == Operation::fused && has_fma ? elements * 2 * rates.fused : 0;
}

Rate rate_of(const ArithmeticKernel& kernel, const std::vector<int>& cpus) {
  const long long steps = calibrated_steps(kernel);
  std::vector<double> results(cpus.size());
  const Best best =
      best_of(cpus, runs, [&](std::size_t thread) { results[thread] = kernel.run(steps); });
  return {static_cast<double>(cpus.size()) * static_cast<double>(steps) *
              kernel.operations_per_step() / best.seconds,
          best.clock_mhz};
}

/// The cache levels and DRAM. Capacities are one core's share.
std::vector<LevelDescription> levels_of(const Processor& processor, double clock_mhz) {
  std::vector<LevelDescription> levels;
  for (const Cache& cache : processor.caches)
    levels.push_back({fmt::format("l{}", cache.level), fmt::format("L{}", cache.level),
                      cache.bytes / cache.cpus});
  if (levels.empty()) levels = {{"l1", "L1"}, {"l2", "L2"}, {"l3", "L3"}};
  const std::optional<PerCycle>& core = processor.per_cycle;
  if (core && core->vector_bytes == vector_bytes && clock_mhz > 0) {
    const double per_byte = 1e6 * clock_mhz * processor.cores;
    for (LevelDescription& level : levels) {
      if (level.name == "l1") level.theoretical = per_byte * core->load_bytes;
      if (level.name == "l2") level.theoretical = per_byte * core->l2_bytes;
    }
  }
  levels.push_back({"dram", "DRAM"});
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
    std::vector<RoofBenchmark> roofs;
    for (const auto& kernels : {fused_kernels(), unfused_kernels()})
      for (const ArithmeticKernel& kernel : kernels)
        roofs.push_back({described(kernel), per_cycle(kernel, processor), "",
                         [&cpus, kernel] { return rate_of(kernel, cpus); }});
    add_roofs(ceilings, roofs, progress, share_of_arithmetic);
    const double free =
        static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    const Sweep sweep = measure_sweep(cpus, working_sets(processor, cpus.size(), 0.25 * free),
                                      progress, share_of_arithmetic);
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
