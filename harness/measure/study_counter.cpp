#include "harness/measure/study_counter.h"

#include <fmt/format.h>

#include <utility>

#include "harness/measure/child.h"

namespace gpp {
namespace {

std::string name_of(const Countable& one) { return one.result->model + " " + one.result->variant; }

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
  std::vector<Countable> apart;
  for (const Countable& one : all) {
    const bool by_fork = one.apart != nullptr && one.result->kind == "host";
    if (!by_fork) tell(one);
    if (options_.counting.counters == CountersWanted::off)
      one.result->counted.reason = "not asked for: --counters off";
    else if (by_fork)
      apart.push_back(one);
    else if (interrupted())
      one.result->counted.reason = not_counted;
    else
      count_here(one);
  }
  count_apart(apart);
}

void StudyCounter::tell(const Countable& one) const {
  if (events_.progress) events_.progress("counting " + name_of(one), -1);
}

void StudyCounter::count_here(const Countable& one) {
  one.result->counted = one.result->kind == "host" ? counted_on_host(one) : counted_on_gpu(one);
}

/// One process counts them one after the other. Where it ends too early, another goes on behind the
/// one that it was at.
void StudyCounter::count_apart(const std::vector<Countable>& all) {
  std::size_t next = 0;
  while (next < all.size()) {
    Forked process([&](Line& line) {
      for (std::size_t i = next; i < all.size(); ++i) {
        const Result& result = *all[i].result;
        count_here(all[i]);
        line.say(message_text(CountedMessage::name,
                              CountedMessage{result.counted, result.code, result.trace}));
      }
    });
    for (bool goes_on = true; goes_on && next < all.size(); ++next) {
      tell(all[next]);
      goes_on = take(process, *all[next].result);
    }
    for (; interrupted() && next < all.size(); ++next)
      all[next].result->counted.reason = not_counted;
  }
}

/// False where the process has ended.
bool StudyCounter::take(Forked& process, Result& result) const {
  constexpr double longest = 600;  // seconds that a variant takes to be counted
  std::string text;
  if (!process.hear(text, longest, events_.interrupted)) {
    result.counted.reason =
        interrupted() ? not_counted
                      : "while it was counted it " + early_end(process.finished(), longest);
    return false;
  }
  const std::string error = error_of([&] {
    auto counted = roofline::message_in(text, "the process that counts").read<CountedMessage>();
    result.counted = std::move(counted.counted);
    result.code = std::move(counted.code);
    result.trace = std::move(counted.trace);
  });
  if (!error.empty()) result.counted.reason = error;
  return true;
}

roofline::Counted StudyCounter::counted_on_gpu(const Countable& one) {
  const Result& result = *one.result;
  if (!options_.counting.by_hardware(result.kind))
    return count_by_source(subject_, *one.variant, "the hardware was not asked: --counters source");
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

/// By the source, and by what the variant's machine code and an instrumented build of it tell
/// (traced.h).
roofline::Counted StudyCounter::counted_on_host(const Countable& one) {
  Result& result = *one.result;
  roofline::Counted counted = count_on_host(options_.counting, subject_, *one.variant);
  if (!options_.counting.looks_into_runs()) return counted;
  if (!tracer_) tracer_ = std::make_unique<HostTracer>(kernel_, subject_);
  TracedCount traced;
  const Runtime& runtime = *one.build.runtime;
  const std::string error = error_of([&] {
    result.code =
        tracer_->hot_code(*one.variant, one.build, result.timing().median, stage_.on(runtime));
    traced = tracer_->count(*one.variant, runtime, result.check.tolerance);
  });
  if (!error.empty()) traced.reason = fmt::format("looking into it failed: {}", error);
  add_trace(traced, result, counted);
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
