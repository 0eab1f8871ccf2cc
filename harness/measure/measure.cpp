#include "harness/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/program/child.h"
#include "harness/program/interrupt.h"
#include "harness/record/derive.h"
#include "harness/record/provenance.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/ceilings/measure.h"

namespace gpp {
namespace {

/// The GPUs the choices will run on, by their places on the bus. One that serves several models is
/// there once.
std::map<std::string, const Runtime*> gpus_of(const std::vector<Choice>& choices) {
  std::map<std::string, const Runtime*> gpus;
  for (const Choice& choice : choices)
    if (choice.build != nullptr && choice.build->kind == "gpu")
      gpus.try_emplace(choice.build->runtime->device_place(), choice.build->runtime);
  return gpus;
}

/// The roofs of each kind of device that ran something. Where they cannot be had the study goes on
/// without: what it measured is kept, but has no place on a roofline.
void add_ceilings(StudyRecord& study, const CountingOptions& options,
                  roofline::ProgressLine& line) {
  for (const char* kind : {"gpu", "host"}) {
    if (std::ranges::none_of(study.results, [kind](const Result& result) {
          return result.status == Status::passed && result.kind == kind;
        }))
      continue;
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
  std::list<roofline::DeviceTurn> turns;
  // In one order everywhere, so that no two wait for each other.
  for (const auto& [place, runtime] : gpus_of(choices))
    if (!place.empty())
      turns.emplace_back(place, seconds,
                         [](const std::string& line) { fmt::print(stderr, "gpp: {}\n", line); });
  return turns;
}

Measured measure(const MeasureRequest& request, const std::vector<Choice>& choices,
                 Subject* known) {
  const std::list<roofline::DeviceTurn> turns = turns_for(choices, request.longest_wait);
  LoadMeter load;  // from now on, so that it knows a while before the first run
  std::vector<DeviceDescription> described;
  for (const auto& [place, runtime] : gpus_of(choices)) described.push_back(runtime->describe());
  Measured measured{study_from_now(*request.kernel, std::move(described))};
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
  double kept_at = 0;
  const auto keep = [&](bool at_once) {
    if (request.folder.empty() || (!at_once && steady_seconds() - kept_at < 1)) return;
    kept_at = steady_seconds();
    // Without a record the study goes on: what it measures is shown, and the last attempt reports.
    error_of([&] { write_record(request.folder, study); });
  };
  StudyEvents events;
  events.progress = [&line](std::string_view what, double share) { line.show(what, share); };
  events.interrupted = InterruptGuard::interrupted;
  events.load = &load;
  events.host_clock = roofline::measured_clock_mhz;
  std::map<const Runtime*, roofline::GpuSources> gpus;
  events.gpu = [&gpus](const Runtime& runtime) -> const roofline::GpuSources& {
    const auto [gpu, is_new] = gpus.try_emplace(&runtime);
    if (is_new) gpu->second = roofline::gpu_sources(runtime.device_place());
    return gpu->second;
  };
  std::map<std::string, EnergyMeter> meters;
  if (request.energy)
    events.energy = [&meters](const Runtime& runtime) -> EnergyMeter& {
      const std::string place = runtime.device_place();
      return meters.try_emplace(place, energy_sources(place)).first->second;
    };
  events.recorded = [&](const std::vector<Result>& results, bool all_timed) {
    study.results = results;
    keep(all_timed);
    if (request.so_far) line.above([&] { return request.so_far(study); }, all_timed);
  };
  StudyOptions options = request.options;
  options.counting.recorder = &roofline::cupti_recorder();
  study.results = run_study(*request.kernel, subject, choices, options, events);
  measured.interrupted = InterruptGuard::interrupted();
  if (request.roofs)
    study.ceilings.push_back(*request.roofs);
  else if (!measured.interrupted && options.counting.wants_roofs())
    add_ceilings(study, options.counting, line);
  refuse_impossible(study);
  derive(study);
  study.complete = !measured.interrupted;
  return measured;
}

}  // namespace gpp
