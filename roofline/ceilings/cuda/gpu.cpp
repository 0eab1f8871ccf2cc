// Measures the roofs of the current CUDA device.
#include "roofline/ceilings/cuda/gpu.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

#include "roofline/ceilings/measure.h"
#include "roofline/cuda_driver.h"
#include "roofline/nvml.h"

namespace roofline {
namespace gpu {
namespace {

constexpr double seconds_per_run = 5e-3;
constexpr int runs = 7;
constexpr double share_of_arithmetic = 0.4;  // share of the total time, for progress
constexpr double largest_set = 4.0 * 1024 * 1024 * 1024;

// Sources (NVIDIA, docs/sources.md): CUDA C++ Programming Guide, "Throughput of Native Arithmetic
// Instructions"; NVIDIA's white papers on V100, A100 and H100 (peaks over multiprocessors and
// clock, L1 bandwidth, L2 bandwidth of V100 and A100), on GA102 and on AD102. NVIDIA has published
// no L2 bandwidth for later devices. Tensor cores are measured from 8.0 on. With sums in FP32,
// GeForce cards of 8.6 and 8.9 have half the rate of others with the same capability, so those
// entries are 0.
constexpr std::pair<int, PerCycle> table[] = {
    // Columns: fp64 fp32 fp16, tensor: fp64 fp16 tf32 fp8 int8, threads: issue alu xu, bytes: l1 l2
    {70, {32, 64, 128, 0, 0, 0, 0, 0, 128, 64, 16, 128, 2048}},              // V100
    {75, {2, 64, 128, 0, 0, 0, 0, 0, 128, 64, 16, 64, 0}},                   // Turing
    {80, {32, 64, 256, 64, 1024, 512, 0, 2048, 128, 64, 16, 128, 5120}},     // A100
    {86, {2, 128, 128, 0, 0, 0, 0, 1024, 128, 64, 16, 128, 0}},              // GA10x
    {89, {2, 128, 128, 0, 0, 0, 0, 1024, 128, 64, 16, 128, 0}},              // AD10x
    {90, {64, 128, 256, 128, 2048, 1024, 4096, 4096, 128, 64, 16, 128, 0}},  // H100, H200
};

/// Finds "580.159.04" in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  ..."
std::string kernel_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos)
      return ", driver " + word;
  return {};
}

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

/// A benchmark with as many blocks as run at the same time.
Benchmark benchmark_of(const ArithmeticKernel& kernel) {
  const int blocks = resident_blocks(kernel.kernel, arithmetic_threads);
  return {[launch = kernel.launch, blocks](long long steps, Board* board) {
            launch(blocks, steps, board);
          },
          static_cast<double>(blocks) * arithmetic_threads * kernel.flop_per_step};
}

Rate rate_of(Stopwatch& stopwatch, const Benchmark& benchmark) {
  const long long steps = stopwatch.steps_for(seconds_per_run, benchmark.launch);
  const Best best = stopwatch.best_of(runs, steps, benchmark.launch);
  return {static_cast<double>(steps) * benchmark.work_of_step / best.seconds, best.clock_mhz};
}

/// Arithmetic, and shared memory.
std::vector<RoofBenchmark> roofs_of(const Device& device, Stopwatch& stopwatch) {
  const std::string best = " Best of " + std::to_string(runs) + ".";
  std::vector<RoofBenchmark> roofs;
  for (const ArithmeticKernel& kernel : arithmetic_kernels())
    roofs.push_back({unmeasured_roof(kernel.name, kernel.label, kernel.definition + best),
                     device.multiprocessors * (device.per_cycle.*kernel.fma) * kernel.flop_per_fma,
                     lacks(kernel, device),
                     [&stopwatch, kernel] { return rate_of(stopwatch, benchmark_of(kernel)); }});
  roofs.push_back(
      {unmeasured_roof("shared", "shared memory", "128-bit loads without bank conflicts." + best,
                       CeilingKind::bandwidth),
       1.0 * device.multiprocessors * device.per_cycle.l1_bytes, "",
       [&stopwatch] { return rate_of(stopwatch, reader_of_shared()); }});
  return roofs;
}

/// L1 takes more than this part of the memory that it shares with shared memory, and DRAM alone
/// serves sets of so many times L2.
constexpr double share_of_l1 = 0.6, times_l2 = 8;

std::vector<LevelDescription> levels_of(const Device& device, const Sweep& sweep) {
  const double clock = 1e6 * sweep.clock_mhz, l2 = 2 * sweep.l2_until,
               l1 = share_of_l1 * attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  const auto known = [](double rate) { return rate > 0 ? std::optional(rate) : std::nullopt; };
  return {{"l1", "L1", 0, l1, known(clock * device.multiprocessors * device.per_cycle.l1_bytes)},
          {"l2", "L2", sweep.l2_from, l2 / 2, known(clock * device.per_cycle.l2_bytes)},
          {"dram", "DRAM", l2 > 0 ? times_l2 * l2 : sweep.points.back().bytes / 4,
           sweep.points.back().bytes, known(device.memory_bytes_per_s)}};
}

const char* const read_definition =
    "128-bit loads, best of 5 at each working set. L1: every multiprocessor reads one set round "
    "and round, from four places at a time. L2 and DRAM: past L1, and no two blocks at a time read "
    "the same; many blocks wait for room, so that a multiprocessor which is nearer reads more. "
    "Each the median of its sets. L1: those that surely fit. L2: from what all multiprocessors of "
    "the device have in flight to half of L2, the same however many read. DRAM: from 8 times L2. "
    "Theoretical: L1 multiprocessors x bytes per cycle x clock; L2 as NVIDIA published it, where "
    "it did; DRAM twice the memory clock x width of the bus.";

std::string unavailable() {
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

DeviceIdentity identity() {
  const Device device = current_device();
  return {device.name, "gpu", device.driver,
          std::to_string(device.multiprocessors) + " SMs, " +
              std::to_string(device.memory_bytes / 1'000'000'000) + " GB"};
}

void add_ceilings(Ceilings& ceilings, const Progress& progress) {
  const Device device = current_device();
  Stopwatch stopwatch;
  // Works until the clock has risen, which takes a while.
  const Launch launch = benchmark_of(arithmetic_kernels().front()).launch;
  stopwatch.best_of(40, stopwatch.steps_for(seconds_per_run, launch), launch);
  if (progress) progress("launches", 0);
  ceilings.launch = measure_launch(stopwatch);
  add_roofs(ceilings, roofs_of(device, stopwatch), progress, share_of_arithmetic);
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the free memory");
  const double largest = std::min(largest_set, 0.5 * static_cast<double>(free));
  const Sweep sweep =
      measure_sweep(stopwatch, static_cast<std::size_t>(largest), progress, share_of_arithmetic);
  add_bandwidths(ceilings, sweep.points, levels_of(device, sweep), sweep.clock_mhz,
                 read_definition);
}

}  // namespace

PerCycle per_cycle(int compute_capability) {
  for (const auto& [capability, rates] : table)
    if (capability == compute_capability) return rates;
  return {};
}

Device current_device() {
  int current = 0, driver = 0;
  cudaDeviceProp properties{};
  std::array<char, 32> place{};
  check(cudaGetDevice(&current), "asking for the current device");
  check(cudaGetDeviceProperties(&properties, current), "asking for the device's properties");
  check(cudaDriverGetVersion(&driver), "asking for the driver's version");
  check(cudaDeviceGetPCIBusId(place.data(), place.size(), current),
        "asking for the device's place");
  Device device;
  device.name = properties.name;
  device.driver = "CUDA " + std::to_string(driver / 1000) + "." +
                  std::to_string(driver % 1000 / 10) + kernel_driver();
  device.place = place.data();
  device.compute_capability = 10 * properties.major + properties.minor;
  device.multiprocessors = multiprocessors();
  device.memory_bytes = properties.totalGlobalMem;
  // Memory makes two transfers per cycle; the attributes are in kHz and bits.
  device.memory_bytes_per_s = 2.0 * 1e3 * attribute(cudaDevAttrMemoryClockRate) *
                              attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0;
  device.per_cycle = per_cycle(device.compute_capability);
  return device;
}

}  // namespace gpu

const Benchmarks& gpu_benchmarks() {
  static const Benchmarks benchmarks = {
      gpu::unavailable, gpu::identity, gpu::add_ceilings,
      [] { return gpu::current_device().place; },
      [] { return used_by_others(gpu_sources(gpu::current_device().place)); }};
  return benchmarks;
}

}  // namespace roofline
