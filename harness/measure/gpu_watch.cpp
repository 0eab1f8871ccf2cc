#include "harness/measure/gpu_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "roofline/base/machine.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

/// The share of the GPU's time that others took, by how long the clock's kernel waited. Alone it
/// takes a quarter of a millisecond.
double share_while_waiting(const Pulse& pulse) {
  constexpr double alone = 0.3e-3, least_slice = 1e-3;  // seconds
  return pulse.seconds < least_slice ? 0.0 : 1 - alone / pulse.seconds;
}

}  // namespace

std::vector<int> GpuWatch::others(int contexts) const {
  std::vector<int> listed = sources_.processes().value_or(std::vector<int>());
  if (std::erase_if(listed, sources_.is_own) > 0) return listed;
  const auto count = static_cast<int>(listed.size()) - contexts;
  return std::vector<int>(static_cast<std::size_t>(std::max(0, count)), 0);
}

double GpuWatch::share_of_others(const Pulse& pulse) const {
  double share = std::numeric_limits<double>::quiet_NaN();
  if (pulse.seconds > 0) share = share_while_waiting(pulse);
  return std::fmax(share, roofline::used_by_others(sources_));
}

std::vector<roofline::ClockLimit> GpuWatch::clock_limits() const {
  return sources_.clock_limits().value_or(std::vector<roofline::ClockLimit>());
}

std::string describe_process(int pid) {
  std::string name = roofline::kernel_file(fmt::format("/proc/{}/comm", pid));
  name = name.substr(0, name.find('\n'));
  if (pid == 0) return "a process whose id is not known here";
  return name.empty() ? fmt::format("process {}", pid)
                      : fmt::format("{} (process {})", roofline::visible(name), pid);
}

}  // namespace gpp
