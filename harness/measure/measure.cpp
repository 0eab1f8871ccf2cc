#include "harness/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "harness/measure/provenance.h"
#include "harness/program/interrupt.h"
#include "harness/record/derive.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/terminal.h"
#include "roofline/ceilings/cache.h"

namespace gpp {
namespace {

bool same_gpu(const DeviceDescription& a, const DeviceDescription& b) {
  return a.name == b.name && a.architecture == b.architecture && a.memory_bytes == b.memory_bytes;
}

/// The GPUs the choices will run on. One that serves several models is listed once.
std::vector<DeviceDescription> gpus_of(const std::vector<Choice>& choices) {
  std::vector<const Runtime*> seen;
  std::vector<DeviceDescription> gpus;
  for (const Choice& choice : choices) {
    if (choice.build == nullptr || choice.build->kind != "gpu") continue;
    if (std::ranges::find(seen, choice.build->runtime) != seen.end()) continue;
    seen.push_back(choice.build->runtime);
    const DeviceDescription gpu = choice.build->runtime->describe();
    if (std::ranges::none_of(gpus,
                             [&gpu](const DeviceDescription& one) { return same_gpu(one, gpu); }))
      gpus.push_back(gpu);
  }
  return gpus;
}

/// The map's value for that key. It is made first where the map has none.
template <class Key, class Value, class Make>
Value& found_or_made(std::map<Key, Value>& map, const Key& key, const Make& make) {
  const auto found = map.find(key);
  return found != map.end() ? found->second : map.try_emplace(key, make()).first->second;
}

/// Keeps the record on disk while a study runs, at most once a second.
class Keeper {
 public:
  explicit Keeper(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void keep(const StudyRecord& study) {
    if (std::chrono::steady_clock::now() - last_ >= std::chrono::seconds(1)) keep_now(study);
  }

  void keep_now(const StudyRecord& study) {
    if (folder_.empty()) return;
    last_ = std::chrono::steady_clock::now();
    try {
      write_record(folder_, study);
    } catch (const roofline::InputError&) {
      // The study goes on: what it measures is still shown, and the last attempt reports.
    }
  }

 private:
  std::filesystem::path folder_;
  std::chrono::steady_clock::time_point last_{};
};

bool any_passed_on(const StudyRecord& study, const std::string& kind) {
  return std::ranges::any_of(study.results, [&kind](const Result& result) {
    return result.status == Status::passed && result.kind == kind;
  });
}

/// The roofs of each kind of device that ran something. Where they cannot be had the study goes on
/// without: what it measured is kept, but has no place on a roofline.
void add_ceilings(StudyRecord& study, const CountingOptions& options,
                  roofline::ProgressLine& line) {
  for (const char* kind : {"gpu", "host"}) {
    if (!options.wants_ceilings() || !any_passed_on(study, kind)) continue;
    try {
      const auto progress = [&](std::string_view what, double share) {
        line.show(fmt::format("ceilings of the {}: {}", kind, what), share);
      };
      study.ceilings.push_back(
          roofline::ceilings_of(kind, options.ceilings == CeilingsWanted::fresh, progress));
    } catch (const std::exception& error) {
      line.clear();
      fmt::print(stderr, "gpp: no ceilings of the {}, so no roofline: {}\n", kind, error.what());
    }
  }
}

}  // namespace

ExitStatus Measured::status() const {
  if (any_failed(study)) return something_failed;
  if (interrupted) return ExitStatus::interrupted;
  return any_passed(study) && !has_faults(study) ? every_check_passed : something_failed;
}

void refuse_impossible(StudyRecord& study) {
  for (Result& result : study.results) {
    const auto why = impossible_time(study, result);
    if (!why) continue;
    result.status = Status::failed;
    result.reason = *why;
    result.check.passed = false;
  }
}

std::list<roofline::DeviceTurn> turns_for(const std::vector<Choice>& choices, double seconds) {
  std::set<std::string> places;  // in one order everywhere, so that no two wait for each other
  for (const Choice& choice : choices)
    if (choice.build != nullptr && choice.build->kind == "gpu")
      places.insert(choice.build->runtime->device_place());
  std::list<roofline::DeviceTurn> turns;
  for (const std::string& place : places)
    if (!place.empty())
      turns.emplace_back(place, "gpp", seconds,
                         [](const std::string& line) { fmt::print(stderr, "gpp: {}\n", line); });
  return turns;
}

Measured measure(const MeasureRequest& request, const std::vector<Choice>& choices,
                 Subject* known) {
  const std::list<roofline::DeviceTurn> turns = turns_for(choices, request.longest_wait);
  LoadMeter load;  // from now on, so that it knows a while before the first run
  Measured measured{study_from_now(*request.kernel, gpus_of(choices))};
  StudyRecord& study = measured.study;
  study.complete = false;
  if (request.ladder != nullptr) study.ladder = request.ladder->name;
  const std::unique_ptr<Subject> obtained =
      known == nullptr ? request.kernel->obtain(request.source) : nullptr;
  Subject& subject = known == nullptr ? *obtained : *known;
  study.input = subject.input();
  study.reference = subject.reference();

  const InterruptGuard guard;
  roofline::ProgressLine line;
  Keeper keeper(request.folder);
  StudyEvents events;
  events.progress = [&line](std::string_view what, double share) { line.show(what, share); };
  events.interrupted = InterruptGuard::interrupted;
  events.load = &load;
  events.host_clock = roofline::measured_clock_mhz;
  std::map<const Runtime*, GpuWatch> watches;
  events.gpu = [&watches](const Runtime& runtime) -> const GpuWatch& {
    return found_or_made(watches, &runtime, [&] { return runtime.device_place(); });
  };
  std::map<std::string, EnergyMeter> meters;
  if (request.energy)
    events.energy = [&meters](const Runtime& runtime) -> EnergyMeter& {
      const std::string place = runtime.device_place();
      return found_or_made(meters, place, [&] { return energy_sources(place); });
    };
  const auto show = [&](bool at_once) {
    if (request.so_far) line.above([&] { return request.so_far(study); }, at_once);
  };
  events.recorded = [&](const std::vector<Result>& results) {
    study.results = results;
    keeper.keep(study);
    show(false);
  };
  events.timed = [&](const std::vector<Result>& results) {
    study.results = results;
    keeper.keep_now(study);
    show(true);
  };
  StudyOptions options = request.options;
  options.apart = true;
  options.counting.recorder = &roofline::cupti_recorder();
  study.results = run_study(*request.kernel, subject, choices, options, events);
  measured.interrupted = InterruptGuard::interrupted();
  if (request.roofs)
    study.ceilings.push_back(*request.roofs);
  else if (!measured.interrupted && options.counting.counters != CountersWanted::off)
    add_ceilings(study, options.counting, line);
  refuse_impossible(study);
  derive(study);
  study.complete = !measured.interrupted;
  return measured;
}

}  // namespace gpp
