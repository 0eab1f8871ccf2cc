#include "harness/measure/study_counter.h"

#include <fmt/format.h>

#include <utility>

#include "roofline/machine_code/instruction_mix.h"

namespace gpp {
namespace {

std::string name_of(const Countable& one) { return one.result->model + " " + one.result->variant; }

constexpr const char* not_asked = "the hardware was not asked: --counters source";
constexpr const char* not_counted = "the study was interrupted before it was counted";

/// The one outlives it.
roofline::CheckedRun run_to_be_counted(const Countable& one, Stage& stage) {
  return {[&one, &stage] { stage.run_only(*one.variant, one.build, as_it_is); },
          [&one, &stage] {
            return stage.on(*one.build.runtime).check(one.result->check.tolerance).reason;
          }};
}

}  // namespace

void StudyCounter::count(const std::vector<Countable>& all) {
  for (const Countable& one : all) {
    tell(one);
    roofline::Counted& counted = one.result->counted;
    if (options_.counting.counters == CountersWanted::off)
      counted.reason = "not asked for: --counters off";
    else if (interrupted())
      counted.reason = not_counted;
    else
      counted = one.result->kind == "host" ? counted_on_host(one) : counted_on_gpu(one);
  }
}

void StudyCounter::tell(const Countable& one) const {
  if (events_.progress) events_.progress("counting " + name_of(one), -1);
}

roofline::Counted StudyCounter::counted_on_gpu(const Countable& one) {
  const Result& result = *one.result;
  if (!options_.counting.by_hardware(result.kind))
    return count_by_source(subject_, *one.variant, "gpu", not_asked);
  const auto now = [this] { return events_.clock ? events_.clock() : steady_seconds(); };
  const double start = now();
  roofline::Counted counted = roofline::counted_or_why_not([&] {
    return one.apart != nullptr ? counted_in_its_process(one) : counted_by_hardware(one);
  });
  counted.seconds = now() - start;
  return or_by_source(std::move(counted), subject_, *one.variant);
}

roofline::Counted StudyCounter::counted_by_hardware(const Countable& one) {
  std::optional<roofline::SliceRun> part;
  if (SideStage* side = slice())
    part = roofline::SliceRun{part_, run_to_be_counted(one, side->stage)};
  return roofline::count_by_hardware(*options_.counting.recorder, name_of(one),
                                     run_to_be_counted(one, stage_), part,
                                     options_.counting.counters == CountersWanted::all);
}

roofline::Counted StudyCounter::counted_in_its_process(const Countable& one) {
  const auto on = [&one](Stage& stage) {
    return CountedRun{[&] { stage.run_only(*one.variant, *one.there, as_it_is); },
                      [&](const Call& given) {
                        Placement& placement = stage.on(*one.apart);
                        placement.run(*one.variant, given);
                        return placement.check(one.result->check.tolerance).reason;
                      }};
  };
  std::vector<CountedRun> runs = {on(stage_)};
  if (SideStage* side = slice()) runs.push_back(on(side->stage));
  return one.apart->count(*one.there,
                          {name_of(one), options_.counting.counters == CountersWanted::all,
                           runs.size() > 1 ? part_ : ""},
                          runs);
}

/// By the source, and by what the compiler made of it.
roofline::Counted StudyCounter::counted_on_host(const Countable& one) {
  const bool looks = options_.counting.looks_into_runs();
  roofline::Counted counted = count_by_source(
      subject_, *one.variant, "host", looks ? "the counters of a host are not read" : not_asked);
  if (!looks) return counted;
  one.result->code = roofline::instruction_mix(one.build.call.code());
  if (const double scalar = one.result->code.scalar_share(); scalar >= 0)
    counted.metrics["scalar_fraction"] = scalar;
  return counted;
}

/// nullptr where the whole problem is small enough for every counter.
SideStage* StudyCounter::slice() {
  if (!slice_ && subject_.input().terms > options_.counting.countable_terms)
    if (auto slice = subject_.slice(options_.counting.countable_terms, part_))
      slice_ = std::make_unique<SideStage>(std::move(slice));
  return slice_.get();
}

}  // namespace gpp
