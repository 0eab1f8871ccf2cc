#include "harness/measure/gpu_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <sstream>

#include "roofline/base/machine.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

/// What /proc tells of a process in the field after its name: "4711 (name) S 1 ...".
int parent_of(int pid) {
  const std::string text = roofline::kernel_file(fmt::format("/proc/{}/stat", pid));
  std::istringstream rest(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string state;
  int parent = 0;
  rest >> state >> parent;
  return parent;
}

bool is_own(int pid) {
  const int self = getpid();
  for (int generation = 0; pid > 1 && generation < 100; ++generation) {
    if (pid == self) return true;
    pid = parent_of(pid);
  }
  return false;
}

GpuSources sources_of(const std::string& bus_place) {
  const auto nvml = std::make_shared<const roofline::Nvml>(bus_place);
  return {[nvml] { return nvml->processes(); }, [nvml] { return nvml->used_lately(); }, is_own,
          [nvml] { return nvml->clock_limits(); }};
}

/// Of the GPU's time, by how long the clock's kernel took. Alone that is a quarter of a
/// millisecond.
double share_while_waiting(const Pulse& pulse) {
  constexpr double alone = 0.3e-3, least_slice = 1e-3;  // seconds
  return pulse.seconds < least_slice ? 0.0 : 1 - alone / pulse.seconds;
}

}  // namespace

GpuWatch::GpuWatch(const std::string& bus_place) : sources_(sources_of(bus_place)) {}

std::vector<int> GpuWatch::others(int contexts) const {
  std::vector<int> listed = sources_.processes().value_or(std::vector<int>());
  if (std::erase_if(listed, sources_.is_own) > 0) return listed;
  const auto count = static_cast<int>(listed.size()) - contexts;
  return std::vector<int>(static_cast<std::size_t>(std::max(0, count)), 0);
}

double GpuWatch::share_of_others(const Pulse& pulse) const {
  double share = std::numeric_limits<double>::quiet_NaN();
  if (pulse.seconds > 0) share = share_while_waiting(pulse);
  std::vector<int> others = sources_.processes().value_or(std::vector<int>());
  if (std::erase_if(others, sources_.is_own) == 0) return share;  // ids of another machine
  const std::map<int, double> used =
      others.empty() ? std::map<int, double>() : sources_.used_lately();
  double sum = 0;
  for (const int pid : others)
    if (const auto one = used.find(pid); one != used.end()) sum += one->second;
  return std::fmax(share, std::min(1.0, sum));
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
