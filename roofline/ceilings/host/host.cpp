// The processor, as Linux describes it, and its roofs, measured with all cores that this process
// may use.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "roofline/base/machine.h"
#include "roofline/ceilings/host/chains.h"
#include "roofline/ceilings/host/team.h"
#include "roofline/ceilings/measure.h"

namespace roofline {
namespace host {
namespace {

/// The bytes of a size such as "48K" or "2M".
double bytes_in(const std::string& size) {
  double number = 0;
  std::istringstream(size) >> number;
  return number * (size.ends_with("M") ? 1048576.0 : 1024.0);
}

int physical_cores(const std::vector<int>& cpus) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    const std::string topology = fmt::format("/sys/devices/system/cpu/cpu{}/topology/", cpu);
    const std::string siblings = first_line(topology + "thread_siblings_list");
    cores.insert(siblings.empty() ? topology : siblings);
  }
  return static_cast<int>(cores.size());
}

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
Ceiling roof_of(const ArithmeticKernel& kernel) {
  struct Words {
    const char *name, *label, *step;
  };
  constexpr Words words[] = {
      {"fma", "FMA", "x = x*a + b; an FMA counts 2"},
      {"no_fma", "no FMA", "y = x*a, x = y + b"},
      {"div", "division", "x = a/x; each element divided counts 1, no floating-point roof"}};
  const auto& [name, label, step] = words[static_cast<std::size_t>(kernel.operation)];
  const bool scalar = kernel.bytes == kernel.bytes_of_element;
  const int bits = 8 * kernel.bytes, precision = 8 * kernel.bytes_of_element;
  const std::string width = scalar                        ? "scalar_"
                            : kernel.bytes < vector_bytes ? fmt::format("{}_", bits)
                                                          : "";
  return unmeasured_roof(
      kernel.operation == Operation::division
          ? fmt::format("fp{}_div{}", precision, scalar ? "_scalar" : "")
          : fmt::format("fp{}_{}{}", precision, width, name),
      fmt::format("FP{} {}, {}", precision, scalar ? "scalar" : fmt::format("{}-bit", bits), label),
      fmt::format("Independent chains on {}, one thread per CPU: {}. Best of {}.{}",
                  scalar ? "one number at a time" : fmt::format("vectors of {} bits", bits), step,
                  runs,
                  kernel.operation == Operation::fused && !has_fma
                      ? " This program was built for processors without FMA."
                      : ""));
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

/// The caches and DRAM. A core's share of a cache surely serves sets of three quarters of it, or of
/// half where several cores share it, and DRAM alone those of four times the last one, which may be
/// unknown, and of an eighth of the largest. Of unknown caches, the first has more than 24 KiB.
std::vector<LevelDescription> levels_of(const Processor& processor, double largest) {
  if (processor.caches.empty()) return {{"l1", "L1", 0, 24 * 1024}, {"dram", "DRAM", largest / 4}};
  std::vector<LevelDescription> levels;
  double nearer = 0;  // a core's share of the cache before
  for (const Cache& cache : processor.caches) {
    const double share = cache.bytes / cache.cpus, sure = cache.level > 2 ? 0.5 : 0.75;
    levels.push_back({fmt::format("l{}", cache.level), fmt::format("L{}", cache.level), 2 * nearer,
                      sure * share});
    nearer = share;
  }
  levels.push_back({"dram", "DRAM", std::max(4 * nearer, largest / 8)});
  return levels;
}

const char* const read_definition =
    "All cores load full vectors, each cyclically from memory of its own; best of 3 to 30 runs at "
    "each working set; the median of the sets that surely fit, and are too large for the cache "
    "before.";

DeviceIdentity identity() {
  const std::vector<int> cpus = allowed_cpus();
  const Processor processor = this_processor(cpus);
  return {processor.name, "host", "",
          fmt::format("{} cores, {} threads, {}-bit vectors", processor.cores, cpus.size(),
                      8 * vector_bytes)};
}

void add_ceilings(Ceilings& ceilings, const Progress& progress) {
  const std::vector<int> cpus = allowed_cpus();
  const Processor processor = this_processor(cpus);
  std::vector<RoofBenchmark> roofs;
  for (const auto& kernels : {fused_kernels(), unfused_kernels()})
    for (const ArithmeticKernel& kernel : kernels)
      roofs.push_back({roof_of(kernel), 0, "", [&cpus, kernel] { return rate_of(kernel, cpus); }});
  add_roofs(ceilings, roofs, progress, share_of_arithmetic);
  const double memory = 0.25 * static_cast<double>(available_memory());
  const Sweep sweep = measure_sweep(cpus, working_sets(processor, cpus.size(), memory), progress,
                                    share_of_arithmetic);
  const double largest = sweep.points.empty() ? 0 : sweep.points.back().bytes;
  add_bandwidths(ceilings, sweep.points, levels_of(processor, largest), sweep.clock_mhz,
                 read_definition);
}

}  // namespace

std::vector<Cache> data_caches(const std::filesystem::path& folder, const std::vector<int>& cpus) {
  std::vector<Cache> caches;
  for (int index = 0; index < 8; ++index) {
    const auto files = folder / ("index" + std::to_string(index));
    const std::string type = first_line(files / "type");
    if (type != "Data" && type != "Unified") continue;
    const std::vector<int> shared = parse_processors(first_line(files / "shared_cpu_list"));
    const auto sharing = std::ranges::count_if(
        cpus, [&shared](int cpu) { return std::ranges::binary_search(shared, cpu); });
    const auto level = whole_number(first_line(files / "level"));
    const Cache cache{static_cast<int>(level.value_or(0)), bytes_in(first_line(files / "size")),
                      std::max(1, static_cast<int>(sharing))};
    if (cache.level > 0 && cache.bytes > 0) caches.push_back(cache);
  }
  std::ranges::sort(caches, {}, &Cache::level);
  return caches;
}

std::map<std::string, std::string> cpuinfo() {
  std::ifstream file("/proc/cpuinfo");
  std::map<std::string, std::string> values;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    values[key] = colon + 2 < line.size() ? line.substr(colon + 2) : "";
  }
  return values;
}

Processor this_processor(const std::vector<int>& cpus) {
  auto info = cpuinfo();
  Processor processor;
  processor.name = info["model name"].empty() ? "processor" : info["model name"];
  processor.cores = physical_cores(cpus);
  processor.caches =
      data_caches(fmt::format("/sys/devices/system/cpu/cpu{}/cache", cpus.front()), cpus);
  return processor;
}

}  // namespace host

const Benchmarks& host_benchmarks() {
  static const Benchmarks benchmarks = {[] { return std::string(); }, host::identity,
                                        host::add_ceilings};
  return benchmarks;
}

}  // namespace roofline
