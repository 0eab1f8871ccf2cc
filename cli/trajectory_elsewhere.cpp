#include "cli/trajectory_elsewhere.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "roofline/base/machine.h"
#include "roofline/base/processors.h"
#include "roofline/base/terminal.h"

namespace gpp {
namespace {

/// While it lives this thread, and every process that it starts, has these processors alone.
class OnProcessors {
 public:
  explicit OnProcessors(const std::vector<int>& processors) {
    known_ = sched_getaffinity(0, sizeof(before_), &before_) == 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int processor : processors)
      if (processor < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(processor), &set);
    if (known_) sched_setaffinity(0, sizeof(set), &set);  // the process looks whether it was done
  }
  ~OnProcessors() {
    if (known_) sched_setaffinity(0, sizeof(before_), &before_);
  }
  OnProcessors(const OnProcessors&) = delete;
  OnProcessors& operator=(const OnProcessors&) = delete;

 private:
  cpu_set_t before_;
  bool known_ = false;
};

std::vector<std::string> command_line(const TrajectoryElsewhereRequest& request,
                                      TrajectoryMode mode, const std::vector<int>& units) {
  // This very program, even where its file was replaced meanwhile.
  const std::string program = fmt::format("/proc/{}/exe", getpid());
  std::vector<std::string> line;
  // OpenMP reads these when it starts; places of the whole machine would not be there.
  if (request.kind == "host")
    line = {"/usr/bin/env",      "-u",
            "OMP_PLACES",        "-u",
            "GOMP_CPU_AFFINITY", "-u",
            "KMP_AFFINITY",      fmt::format("OMP_NUM_THREADS={}", units.front())};
  line.insert(line.end(), {program, "trajectory"});
  line.insert(line.end(), request.arguments.begin(), request.arguments.end());
  line.insert(line.end(),
              {"--units", fmt::format("{}", fmt::join(units, ",")), "--device", request.kind,
               trajectory_mode_option, mode == TrajectoryMode::time ? "time" : "count"});
  return line;
}

}  // namespace

std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root) {
  std::vector<int> first, others;
  for (const int processor : processors) {
    std::string list = roofline::kernel_file(
        root /
        fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor));
    list.erase(list.find_last_not_of('\n') + 1);
    const std::vector<int> siblings = roofline::parse_processors(list);
    const bool beside = std::any_of(first.begin(), first.end(), [&siblings](int one) {
      return std::find(siblings.begin(), siblings.end(), one) != siblings.end();
    });
    (beside ? others : first).push_back(processor);
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

TrajectoryElsewhere trajectory_elsewhere(const TrajectoryElsewhereRequest& request) {
  return [request](TrajectoryMode mode, const std::vector<int>& units) {
    roofline::ProgressLine progress;
    progress.show(fmt::format("{} on {} {}", mode == TrajectoryMode::time ? "timing" : "counting",
                              fmt::join(units, ", "), units_name(request.kind)));
    const auto silence = std::chrono::milliseconds(std::llround(1e3 * request.limit_s));
    const std::vector<std::string> line = command_line(request, mode, units);
    if (request.kind != "host") return roofline::run_program(line, silence);
    std::vector<int> processors = cores_first(roofline::allowed_cpus());
    processors.resize(std::min(processors.size(), static_cast<std::size_t>(units.front())));
    const OnProcessors narrow(processors);
    return roofline::run_program(line, silence);
  };
}

}  // namespace gpp
