// Measures the roofs of the current CUDA device.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "roofline/ceilings/cuda/arithmetic.h"
#include "roofline/ceilings/cuda/bandwidth.h"
#include "roofline/ceilings/cuda/device.h"
#include "roofline/ceilings/cuda/timing.h"
#include "roofline/ceilings/levels.h"
#include "roofline/ceilings/measure.h"
#include "roofline/cuda_driver.h"

namespace roofline {
namespace gpu {
namespace {

constexpr double seconds_per_run = 5e-3;
constexpr int runs = 7;
constexpr double share_of_arithmetic = 0.4;  // share of the total time, for progress
constexpr double largest_set = 4.0 * 1024 * 1024 * 1024;

/// The compute capability of the kernel's code; older code cannot hold newer instructions.
int code_of(const ArithmeticKernel& kernel) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel.kernel), "looking for code for the device");
  return attributes.ptxVersion;
}

/// The reason why the device lacks this roof; empty if it has it.
std::string lacks(const ArithmeticKernel& kernel, const Device& device) {
  const int needed = kernel.needs_code_of;
  if (kernel.not_later != nullptr && device.compute_capability > needed) return kernel.not_later;
  if (code_of(kernel) >= needed) return {};
  return "needs a device of compute capability " + std::to_string(needed / 10) + "." +
         std::to_string(needed % 10) + " and a program compiled for it";
}

/// FLOP/s at the measured clock; empty for an unknown device.
std::optional<double> theoretical_flops(const ArithmeticKernel& kernel, const Device& device,
                                        double clock_mhz) {
  if (!device.per_cycle || !(clock_mhz > 0)) return std::nullopt;
  const int fma = (*device.per_cycle).*kernel.fma;
  if (fma == 0) return std::nullopt;
  return 1e6 * clock_mhz * device.multiprocessors * fma * kernel.flop_per_fma;
}

/// A benchmark with as many blocks as run at the same time.
Benchmark benchmark_of(const ArithmeticKernel& kernel) {
  const int blocks = resident_blocks(kernel.kernel, arithmetic_threads);
  return {[launch = kernel.launch, blocks](long long steps, Board* board) {
            launch(blocks, steps, board);
          },
          static_cast<double>(blocks) * arithmetic_threads * kernel.flop_per_step};
}

/// Measures a roof, all of which but its rates is known.
Ceiling measured(Stopwatch& stopwatch, const Benchmark& benchmark, Ceiling ceiling) {
  const long long steps = stopwatch.steps_for(seconds_per_run, benchmark.launch);
  const Best best = stopwatch.best_of(runs, steps, benchmark.launch);
  ceiling.measured = static_cast<double>(steps) * benchmark.work_of_step / best.seconds;
  ceiling.clock_mhz = best.clock_mhz;
  ceiling.definition += " Best of " + std::to_string(runs) + ".";
  return ceiling;
}

Ceiling arithmetic_ceiling(Stopwatch& stopwatch, const ArithmeticKernel& kernel,
                           const Device& device) {
  Ceiling ceiling =
      measured(stopwatch, benchmark_of(kernel),
               {kernel.name, kernel.label, CeilingKind::compute, 0, {}, 0, kernel.definition, {}});
  ceiling.theoretical = theoretical_flops(kernel, device, ceiling.clock_mhz);
  if (ceiling.theoretical)
    ceiling.definition += " Theoretical: multiprocessors x operations per cycle x clock.";
  return ceiling;
}

Ceiling shared_ceiling(Stopwatch& stopwatch, const Device& device) {
  Ceiling ceiling = measured(stopwatch, reader_of_shared(),
                             {"shared",
                              "shared memory",
                              CeilingKind::bandwidth,
                              0,
                              {},
                              0,
                              "128-bit loads without bank conflicts.",
                              {}});
  if (device.per_cycle && ceiling.clock_mhz > 0)
    ceiling.theoretical =
        1e6 * ceiling.clock_mhz * device.multiprocessors * device.per_cycle->l1_bytes;
  ceiling.definition += " Theoretical: multiprocessors x bytes per cycle x clock.";
  return ceiling;
}

std::vector<LevelDescription> levels_of(const Device& device, const Sweep& sweep) {
  const double clock_mhz = sweep.clock_mhz;
  std::vector<LevelDescription> levels = {
      {"l1", "L1", 0, {}}, {"l2", "L2", sweep.l2_until, {}}, {"dram", "DRAM", 0, {}}};
  levels[1].from = sweep.l2_from;
  if (device.per_cycle && clock_mhz > 0) {
    const PerCycle& known = *device.per_cycle;
    levels[0].theoretical = 1e6 * clock_mhz * device.multiprocessors * known.l1_bytes;
    if (known.l2_bytes > 0) levels[1].theoretical = 1e6 * clock_mhz * known.l2_bytes;
  }
  if (device.memory_bytes_per_s > 0) levels[2].theoretical = device.memory_bytes_per_s;
  return levels;
}

const char* const read_definition =
    "128-bit loads, best of 5 at each working set. L1: every multiprocessor reads one set round "
    "and round, from four places at a time. L2 and DRAM: past L1, and no two blocks at a time read "
    "the same; many blocks wait for room, so that a multiprocessor which is nearer reads more. "
    "L1 and DRAM: the median of the sweep's plateau. L2: the median of the sets from what all "
    "multiprocessors of the device have in flight to half of L2, the same however many read. "
    "Theoretical: L1 multiprocessors x bytes per cycle x clock; L2 as NVIDIA published it, where "
    "it did; DRAM twice the memory clock x width of the bus.";

class GpuBenchmarks : public Benchmarks {
 public:
  std::string unavailable() const override {
    if (std::string none = no_cuda_driver(); !none.empty()) return none;
    try {
      int count = 0;
      check(cudaGetDeviceCount(&count), "looking for a device");
      check(cudaFree(nullptr), "starting up the device");
      code_of(arithmetic_kernels().front());
      return {};
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  DeviceIdentity identity() const override {
    const Device device = current_device();
    return {device.name, "gpu", device.driver,
            std::to_string(device.multiprocessors) + " SMs, " +
                std::to_string(device.memory_bytes / 1'000'000'000) + " GB"};
  }

  std::string device_place() const override { return current_device().place; }

 private:
  void add_ceilings(Ceilings& ceilings, const Progress& progress) const override {
    const Device device = current_device();
    Stopwatch stopwatch;
    warm_up(stopwatch);
    if (progress) progress("launches", 0);
    ceilings.launch = measure_launch(stopwatch);
    add_arithmetic(ceilings, stopwatch, device, progress);
    if (progress) progress("shared memory", share_of_arithmetic);
    ceilings.list.push_back(shared_ceiling(stopwatch, device));
    add_bandwidths(ceilings, stopwatch, device, progress);
  }

  /// Runs work until the clock has risen, which takes a while.
  static void warm_up(Stopwatch& stopwatch) {
    const Launch launch = benchmark_of(arithmetic_kernels().front()).launch;
    stopwatch.best_of(40, stopwatch.steps_for(seconds_per_run, launch), launch);
  }

  static void add_arithmetic(Ceilings& ceilings, Stopwatch& stopwatch, const Device& device,
                             const Progress& progress) {
    const std::vector<ArithmeticKernel> kernels = arithmetic_kernels();
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const ArithmeticKernel& kernel = kernels[i];
      if (progress)
        progress(kernel.label, share_of_arithmetic * static_cast<double>(i) /
                                   static_cast<double>(kernels.size()));
      if (const std::string why = lacks(kernel, device); !why.empty()) {
        if (std::ranges::find(ceilings.missing, kernel.name, &Missing::name) ==
            ceilings.missing.end())
          ceilings.missing.push_back({kernel.name, why});
        continue;
      }
      const Ceiling ceiling = arithmetic_ceiling(stopwatch, kernel, device);
      const auto known = std::ranges::find(ceilings.list, ceiling.name, &Ceiling::name);
      if (known == ceilings.list.end())
        ceilings.list.push_back(ceiling);
      else if (ceiling.measured > known->measured)
        *known = ceiling;
    }
    // What another kernel of the same name measured is not missing.
    std::erase_if(ceilings.missing,
                  [&ceilings](const Missing& one) { return ceilings.find(one.name) != nullptr; });
  }

  static void add_bandwidths(Ceilings& ceilings, Stopwatch& stopwatch, const Device& device,
                             const Progress& progress) {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for the free memory");
    const double largest = std::min(largest_set, 0.5 * static_cast<double>(free));
    const Sweep sweep =
        measure_sweep(stopwatch, static_cast<std::size_t>(largest), progress, share_of_arithmetic);
    roofline::add_bandwidths(ceilings, sweep.points, levels_of(device, sweep), sweep.clock_mhz,
                             read_definition);
  }
};

}  // namespace
}  // namespace gpu

const Benchmarks& gpu_benchmarks() {
  static const gpu::GpuBenchmarks benchmarks;
  return benchmarks;
}

}  // namespace roofline
