#include "harness/measure/load.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "harness/program/child.h"
#include "roofline/base/machine.h"

namespace gpp {
namespace {

double share(double part, double whole) { return std::clamp(part / whole, 0.0, 1.0); }

}  // namespace

LoadMeter::LoadMeter(LoadSources sources)
    : sources_(std::move(sources)),
      processors_(roofline::parse_processors(roofline::allowed_processors(sources_.root))) {
  if (!sources_.clock) sources_.clock = steady_seconds;
  if (!sources_.own) sources_.own = [] { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); };
  keep(read());
}

void LoadMeter::begin() {
  const Reading now = read();
  start_ = now.at;
  keep(now);
}

LoadShare LoadMeter::end() {
  const Reading now = read();
  const LoadShare found = until(now, std::min(start_, now.at - least_window));
  keep(now);
  return found;
}

LoadShare LoadMeter::last() {
  start_ = sources_.clock();
  return end();
}

LoadMeter::Reading LoadMeter::read() const {
  const double tick = 1.0 / static_cast<double>(std::max(1L, sysconf(_SC_CLK_TCK)));
  Reading reading;
  reading.at = sources_.clock();
  reading.own = sources_.own() + (own_too_ ? own_too_() : 0.0);
  std::istringstream lines(roofline::kernel_file(sources_.root / "proc/stat"));
  for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
    if (line.starts_with("cpu ")) continue;  // the sum
    std::istringstream words(line.substr(3));
    int processor = 0;
    std::array<double, 8>
        values{};  // then guest and guest_nice, which are in user and nice already
    words >> processor;
    for (double& value : values) words >> value;
    if (!words) {
      reading.processors = 0;
      break;
    }
    if (!std::binary_search(processors_.begin(), processors_.end(), processor)) continue;
    const auto [user, nice, system, idle, waiting, irq, soft_irq, stolen] = values;
    ++reading.processors;
    reading.busy += tick * (user + nice + system + irq + soft_irq);
    reading.stolen += tick * stolen;
  }
  return reading;
}

LoadShare LoadMeter::between(const Reading& first, const Reading& second) const {
  LoadShare found;
  const double wall = second.at - first.at;
  const int processors = second.processors;
  if (!(wall > 0) || processors == 0 || first.processors != processors) return found;
  const double whole = wall * processors;
  const double slack = 0.05 * whole + 0.02 * processors;  // ticks, and clocks that run apart
  const double busy = second.busy - first.busy;
  const double stolen = second.stolen - first.stolen;
  const double own = second.own - first.own;
  const bool sane = busy >= 0 && stolen >= 0 && own >= 0 && busy + stolen <= whole + slack;
  if (!sane || own > busy + stolen + slack) return found;  // these are not the ticks of ours
  found.others = share(busy - own, whole);
  found.steal = share(stolen, whole);
  return found;
}

LoadShare LoadMeter::until(const Reading& now, double start) const {
  for (auto reading = readings_.rbegin(); reading != readings_.rend(); ++reading)
    if (reading->at <= start) return between(*reading, now);
  return {};
}

void LoadMeter::keep(const Reading& reading) {
  readings_.push_back(reading);
  while (readings_.size() > 1 && readings_[1].at <= reading.at - least_window)
    readings_.pop_front();
}

double share_of_others(const roofline::GpuSources& gpu, const Pulse& pulse) {
  constexpr double alone = 0.3e-3, least_slice = 1e-3;  // seconds of the clock's kernel
  double waited = std::numeric_limits<double>::quiet_NaN();
  if (pulse.seconds > 0) waited = pulse.seconds < least_slice ? 0.0 : 1 - alone / pulse.seconds;
  return std::fmax(waited, roofline::used_by_others(gpu));
}

}  // namespace gpp
