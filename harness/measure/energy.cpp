#include "harness/measure/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "harness/measure/load.h"

namespace gpp {

EnergySources energy_sources(const std::string& bus_place) {
  if (bus_place.empty()) return {roofline::energy_of_host(), {}, {}};
  const auto nvml = std::make_shared<const roofline::Nvml>(bus_place);
  return {roofline::energy_of_gpu(bus_place), [nvml] { return nvml->celsius(); },
          [nvml] { return nvml->clock_limits(); }};
}

EnergyRecord EnergyMeter::measure(const std::function<Repeated(double seconds)>& repeat) {
  EnergyRecord record;
  record.reason = sources_.counter.missing;
  if (!record.reason.empty()) return record;
  if (!idle_) {
    roofline::EnergyWatch idle(sources_.counter);
    std::this_thread::sleep_for(std::chrono::duration<double>(rule_.idle));
    idle_ = idle.stop();
  }
  const double interval = idle_->updates > 0 ? idle_->seconds / idle_->updates : rule_.idle;
  const double seconds = rule_.warm_up + std::max(rule_.least, interval * (rule_.updates + 2));
  if (seconds > rule_.longest) {
    record.reason =
        fmt::format("the counter of energy moved {} times in {} s", idle_->updates, rule_.idle);
    return record;
  }
  const double start = steady_seconds();
  roofline::EnergyWatch watch(sources_.counter);
  const Repeated runs = repeat(seconds);
  const double before_runs = steady_seconds() - start - runs.seconds;
  record.used = watch.stop(before_runs + rule_.warm_up);
  if (sources_.limits) record.limits = sources_.limits();
  if (sources_.celsius) record.celsius = sources_.celsius();
  record.idle_watts = idle_->watts();
  record.runs = runs.runs;
  record.run_seconds = runs.seconds / std::max(1, runs.runs);
  record.clock_mhz = runs.clock_mhz;
  if (record.used.updates < rule_.updates / 2)
    record.reason = fmt::format("the counter of energy moved {} times in {:.3g} s",
                                record.used.updates, runs.seconds);
  return record;
}

}  // namespace gpp
