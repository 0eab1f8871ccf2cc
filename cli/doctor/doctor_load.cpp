#include "cli/doctor/doctor_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "harness/measure/load.h"
#include "roofline/base/processors.h"
#include "roofline/base/units.h"
#include "runtimes/openmp_threads.h"

namespace gpp {
namespace {

Finding judge_others(const LoadFacts& facts) {
  const std::string average =
      facts.load_average ? fmt::format("; load average {:.2f}", *facts.load_average) : "";
  if (std::isnan(facts.now.others))
    return {"load", Health::note,
            "not known: the kernel does not tell who uses the processor" + average,
            "see that nothing else runs while a study does; it cannot see that here"};
  const std::string text = fmt::format(
      "others take {:.0f}% of the processor{}{}", 100 * facts.now.others,
      facts.now.steal >= 0.005
          ? fmt::format(", and the machine below or a quota {:.0f}%", 100 * facts.now.steal)
          : "",
      average);
  if (!facts.now.disturbed()) return {"load", Health::good, text, ""};
  return {"load", Health::note, text,
          fmt::format("end other programs, or wait for them: a study calls times disturbed where "
                      "others took more than {:.0f}%",
                      100 * disturbed_threshold)};
}

Finding judge_governor(const std::string& governor) {
  if (governor.empty())
    return {"governor", Health::good,
            "not told here, as on virtual machines; the study measures the clock after every run",
            ""};
  if (governor == "performance") return {"governor", Health::good, governor, ""};
  return {"governor", Health::note, governor + ": the clock follows the load",
          "for steadier times, as an administrator: cpupower frequency-set -g performance"};
}

Finding judge_affinity(const LoadFacts& facts) {
  if (facts.affinity.empty())
    return {"affinity", Health::note, "not known: the kernel does not tell",
            "mount /proc, from which it is read"};
  const std::string text =
      fmt::format("processors {}: {}{}", facts.affinity, roofline::describe_cores(facts.cores),
                  facts.online > 0 ? fmt::format(" of {} online", facts.online) : "");
  if (facts.online <= facts.cores) return {"affinity", Health::good, text, ""};
  return {"affinity", Health::note, text,
          "if all are wanted: no taskset, docker run without --cpuset-cpus, Slurm's --exclusive or "
          "--cpus-per-task"};
}

Finding judge_threads(const LoadFacts& facts) {
  const std::string text =
      fmt::format("{} {} for {}", facts.threads, facts.threads == 1 ? "thread" : "threads",
                  roofline::describe_cores(facts.cores));
  if (facts.threads == facts.cores || facts.cores == 0) return {"threads", Health::good, text, ""};
  return {"threads", Health::note, text,
          facts.threads > facts.cores
              ? fmt::format("threads wait for each other: set OMP_NUM_THREADS={}", facts.cores)
              : fmt::format("if all cores are wanted, set OMP_NUM_THREADS={}", facts.cores)};
}

Finding judge_quota(const LoadFacts& facts) {
  if (!facts.quota) return {"cpu quota", Health::good, "none", ""};
  const std::string text = fmt::format("{:.3g} cores' worth of CPU time", *facts.quota);
  if (*facts.quota >= facts.cores) return {"cpu quota", Health::good, text, ""};
  return {"cpu quota", Health::note,
          fmt::format("{} for {}: busy threads are stopped again and again", text,
                      roofline::describe_cores(facts.cores)),
          fmt::format("start the container with --cpus {} or none, or set OMP_NUM_THREADS={}",
                      facts.cores, std::max(1, static_cast<int>(*facts.quota)))};
}

}  // namespace

std::vector<Finding> judge(const LoadFacts& facts) {
  return {judge_others(facts), judge_governor(facts.governor), judge_affinity(facts),
          judge_threads(facts), judge_quota(facts)};
}

std::vector<Finding> look_at_load() {
  LoadMeter meter;
  LoadFacts facts;
  facts.load_average = roofline::load_average();
  facts.affinity = roofline::allowed_processors();
  const std::vector<int> processors = roofline::parse_processors(facts.affinity);
  facts.governor = roofline::clock_governor(processors);
  facts.cores = static_cast<int>(processors.size());
  facts.online = roofline::online_processors();
  facts.threads = openmp_threads();
  facts.quota = roofline::cpu_quota(roofline::cpu_groups());
  std::this_thread::sleep_for(std::chrono::duration<double>(1.05 * least_window));
  facts.now = meter.last();
  return judge(facts);
}

}  // namespace gpp
