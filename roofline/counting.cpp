#include "roofline/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace roofline {
namespace {

/// The tolerance for equal counts. The driver's own work, such as cudaMemset, is in the total but
/// in no kernel: about 1e-6 of a variant's work on an H200.
constexpr double equal_counts = 1e-4;
/// The tolerance for two counters of the same quantity, which agree to 1e-6 on an H200.
constexpr double equal_instructions = 0.01;

Work work_of(const std::string& name, const CheckedRun& run) {
  Work work;
  work.name = name;
  work.run = run.run;
  work.check = [run] { check_results(run); };
  return work;
}

void keep(Recording recording, Counted& counted) {
  counted.passes += recording.passes;
  counted.counters.merge(recording.counters);
  counted.missing.insert(counted.missing.end(), recording.missing.begin(), recording.missing.end());
  for (const std::string& defect : recording.defects)
    if (std::ranges::find(counted.defects, defect) == counted.defects.end())
      counted.defects.push_back(defect);
}

constexpr const char* fp64_instructions = "sm__thread_inst_executed_pipe_fp64_pred_on.sum";
constexpr const char* all_instructions = "sm__inst_executed.sum";
constexpr const char* issued_instructions = "smsp__issue_active.sum";

/// Compares two runs' counts of one quantity, each with its description.
void compare(std::optional<double> first, const char* what, std::optional<double> second,
             const char* then, double tolerance, Counted& counted) {
  if (!first || !second || std::abs(*first - *second) <= tolerance * *first) return;
  counted.defects.push_back(
      fmt::format("the passes counted different work: {:.10g} {}, then {:.10g}{}", *first, what,
                  *second, then));
}

/// Executed and issued instructions are counted in different passes, and those of the FP64 pipe in
/// total and by kernel. They must be equal, or the passes saw different work.
void compare_passes(Counted& counted) {
  const Counters kernels = sums_over(counted.kernels);
  compare(metric_value(counted.counters, all_instructions), "instructions executed",
          metric_value(counted.counters, issued_instructions), " issued", equal_instructions,
          counted);
  compare(metric_value(counted.counters, fp64_instructions), "instructions of the FP64 pipe",
          metric_value(kernels, fp64_instructions), "", equal_counts, counted);
}

/// The hardware counter whose ratio of whole to slice scales a software counter.
const char* scale_of(std::string_view counter) {
  return counter.find("_op_d") != std::string_view::npos ? fp64_instructions : all_instructions;
}

/// The ratio of a counter on the whole to that on the slice; empty if unknown.
std::optional<double> ratio(const Counters& whole, const Counters& slice, const char* name) {
  const double above = metric_value(whole, name).value_or(0),
               below = metric_value(slice, name).value_or(0);
  return above > 0 && below > 0 ? std::optional(above / below) : std::nullopt;
}

/// True if the part has none and the hardware counted none of this pipe in the whole either.
bool has_none(double number, const Counters& whole, const char* pipe) {
  return number == 0 && metric_value(whole, pipe) == std::optional(0.0);
}

/// Scales the slice's software counters to the whole. Without a scale they are missing, not 0.
Recording scaled(const Recording& part, const Counters& whole) {
  Recording result{{}, {}, part.defects, part.passes};
  for (const auto& [name, number] : part.counters) {
    if (!counted_by_software(name)) continue;
    if (const auto scale = ratio(whole, part.counters, scale_of(name)))
      result.counters[name] = number * *scale;
    else if (has_none(number, whole, scale_of(name)))
      result.counters[name] = 0;
    else
      result.missing.push_back(
          {name, fmt::format("counted on a part of the problem, and {} does not say how much more "
                             "the whole has",
                             scale_of(name))});
  }
  for (const Missing& missing : part.missing)
    if (counted_by_software(missing.name)) result.missing.push_back(missing);
  return result;
}

void keep_kernels(const Recording& recording, std::vector<KernelCounts>& kernels) {
  for (const KernelCounts& one : recording.kernels) {
    const auto known = std::ranges::find(kernels, one.name, &KernelCounts::name);
    if (known == kernels.end()) continue;
    for (const auto& [name, value] : one.counters) known->counters.emplace(name, value);
  }
}

/// Samples the positions of warps by kernel. No other counter depends on it.
Recording sampled(const Recorder& recorder, const Work& work) {
  try {
    return recorder.sample(sampled_counters(), work);
  } catch (const RecorderError& error) {
    work.run();  // warm-up, not counted
    work.check();
    return {{}, {{"stalls", error.what()}}, {}, 1};
  }
}

/// The hardware's counters by kernel. Empty if kernels cannot be counted separately;
/// `counted.missing` has the reason.
Recording counted_apart(const Recorder& recorder, const Work& work, Counted& counted) {
  try {
    return recorder.record_kernels(kernel_counters(counted.metrics), work);
  } catch (const RecorderError& error) {
    counted.missing.push_back({"kernels", error.what()});
    return {};
  }
}

/// Software counters by kernel, or for all together if kernels cannot be counted separately, for
/// which counted_apart() reports the reason.
Recording instrumented(const Recorder& recorder, const std::vector<std::string>& names,
                       const Work& work) {
  try {
    return recorder.record_kernels(names, work);
  } catch (const RecorderError&) {
    return recorder.record(names, work);
  }
}

std::vector<std::string> needed(bool by_software) {
  std::vector<std::string> names = needed_counters();
  std::erase_if(names,
                [=](const std::string& name) { return counted_by_software(name) != by_software; });
  return names;
}

/// Scales each kernel of the part to that of the whole; `kernels` are the hardware's counts of the
/// whole.
Recording scaled_apart(const Recording& part, const std::vector<KernelCounts>& kernels) {
  Recording result;
  for (const KernelCounts& whole : kernels)
    for (const KernelCounts& one : part.kernels)
      if (one.name == whole.name)
        result.kernels.push_back(
            {one.name, 0, scaled({one.counters, {}, {}, 0}, whole.counters).counters});
  return result;
}

/// Sets a counter to 0 in each kernel if it is 0 for the whole.
void keep_zeros(const Counters& whole, std::vector<KernelCounts>& kernels) {
  for (const auto& [name, value] : whole)
    if (value == 0 && name.ends_with(".sum"))
      for (KernelCounts& kernel : kernels) kernel.counters.emplace(name, 0);
}

/// Counts by software, on the slice if there is one. Stores the values scaled to the whole, and
/// returns the kernels with their unscaled counts.
Recording count_by_software(const Recorder& recorder, const Work& work,
                            const std::optional<SliceRun>& slice, Counted& counted) {
  std::vector<std::string> names = needed(true);
  if (!slice) {
    Recording whole = instrumented(recorder, names, work);
    keep(whole, counted);
    return whole;
  }
  names.insert(names.end(), {fp64_instructions, all_instructions});
  Recording part = instrumented(recorder, names, work_of(work.name, slice->run));
  counted.slice =
      SliceCount{slice->part, ratio(counted.counters, part.counters, fp64_instructions).value_or(0),
                 part.counters};
  keep(scaled(part, counted.counters), counted);
  return part;
}

/// Counts each kernel by hardware, and adds its values from the other kinds of run.
void count_kernels(const Recorder& recorder, const Work& work, const Recording& samples,
                   const Recording& software, Counted& counted) {
  Recording apart = counted_apart(recorder, work, counted);
  keep({{}, {}, apart.defects, apart.passes}, counted);
  counted.kernels = std::move(apart.kernels);
  keep_kernels(samples, counted.kernels);
  keep_kernels(counted.slice ? scaled_apart(software, counted.kernels) : software, counted.kernels);
  keep_zeros(counted.counters, counted.kernels);
}

/// Counts metrics that are needed only if another one is not zero.
void count_further(const Recorder& recorder, const Work& work, bool all, Counted& counted) {
  const std::vector<std::string> names = further_counters(counted.metrics, all);
  if (names.empty()) return;
  keep(recorder.record(names, work), counted);
  counted.metrics = evaluate(counted.counters);
}

/// Whether the counters of one of its formulas are all there. Its value may still be undefined, as
/// 0/0 is.
bool is_counted(const Metric& metric, const Counters& counters) {
  return std::ranges::any_of(metric.formulas, [&counters](const Formula& formula) {
    return std::ranges::all_of(
        formula.names(), [&counters](const std::string& name) { return counters.contains(name); });
  });
}

/// Removes a missing counter of the chip if its metrics follow from other counters.
void drop_unneeded_missing(Counted& counted) {
  std::erase_if(counted.missing, [&counted](const Missing& missing) {
    bool used = false;
    for (const Metric& metric : metric_table()) {
      const std::vector<std::string> names = counters_of(metric);
      if (std::ranges::find(names, missing.name) == names.end()) continue;
      if (!is_counted(metric, counted.counters)) return false;
      used = true;
    }
    return used;
  });
}

/// The reason why nothing has a roofline point: the work of the first model, which every chip
/// counts, or the DRAM bytes are missing.
std::string lacks(const Counted& counted) {
  for (const std::string& name : {nvidia_table().models.front().work, std::string("dram_bytes")}) {
    if (metric_value(counted.metrics, name)) continue;
    const std::vector<std::string> names = counters_of(*find_metric(name));
    for (const Missing& missing : counted.missing)
      if (std::ranges::find(names, missing.name) != names.end())
        return fmt::format("{} was not counted: {}: {}", name, missing.name, missing.reason);
    return fmt::format("{} was not counted", name);
  }
  return {};
}

Counted count_with(const Recorder& recorder, const Work& work, const std::optional<SliceRun>& slice,
                   bool all) {
  if (const std::string why = recorder.unavailable(); !why.empty()) return not_counted(why);
  Counted counted;
  counted.source = CountedBy::cupti;
  const Recording samples = sampled(recorder, work);
  keep(samples, counted);
  std::vector<std::string> hardware = needed(false);
  hardware.emplace_back(issued_instructions);
  keep(recorder.record(hardware, work), counted);
  const Recording software = count_by_software(recorder, work, slice, counted);
  counted.metrics = evaluate(counted.counters);
  count_kernels(recorder, work, samples, software, counted);
  count_further(recorder, work, all, counted);
  drop_unneeded_missing(counted);
  compare_passes(counted);
  if (std::string missing = lacks(counted); !missing.empty()) {
    counted.source = CountedBy::nobody;
    counted.reason = std::move(missing);
  }
  return counted;
}

}  // namespace

void check_results(const CheckedRun& run) {
  if (const std::string wrong = run.check(); !wrong.empty()) throw WrongSums(wrong);
}

Counted not_counted(std::string reason) {
  Counted counted;
  counted.reason = std::move(reason);
  return counted;
}

Counted counted_or_why_not(const std::function<Counted()>& count) {
  try {
    return count();
  } catch (const WrongSums& error) {
    Counted counted = not_counted(fmt::format("in a counted run: {}", error.what()));
    counted.defects.push_back("wrong sums " + counted.reason);
    return counted;
  } catch (const std::exception& error) {
    return not_counted(fmt::format("in a counted run: {}", error.what()));
  } catch (...) {
    return not_counted("in a counted run: stopped by an error of unknown kind");
  }
}

std::string_view source_name(CountedBy source) {
  constexpr std::string_view names[] = {"", "cupti", "analytic"};
  return names[static_cast<std::size_t>(source)];
}

bool is_hardware(CountedBy source) { return source == CountedBy::cupti; }

Counted stated(Metrics metrics, std::string reason) {
  Counted counted = not_counted(std::move(reason));
  counted.source = CountedBy::analytic;
  counted.metrics = std::move(metrics);
  return counted;
}

Counted count_by_hardware(const Recorder& recorder, const std::string& name, const CheckedRun& run,
                          const std::optional<SliceRun>& slice, bool all) {
  return counted_or_why_not([&] {
    try {
      return count_with(recorder, work_of(name, run), slice, all);
    } catch (const RecorderError& error) {
      return not_counted(error.what());
    }
  });
}

}  // namespace roofline
