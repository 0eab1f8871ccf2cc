#include "roofline/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "roofline/counted_run.h"

namespace roofline {
namespace {

/// Counts are whole numbers, but may be rounded on their way.
constexpr double equal_counts = 1e-6;
/// Two counters of one thing, kept in different places: on an H200 they agree to 1e-6.
constexpr double equal_instructions = 0.01;

Work work_of(const std::string& name, const CheckedRun& run) {
  Work work;
  work.name = name;
  work.run = [run] { run_checked(run); };
  return work;
}

/// The work that most of was done; that of the first model where nothing was.
const Metric& leading_work(const Metrics& metrics) {
  const Model* leading = &nvidia_table().models.front();
  double most = 0;
  for (const Model& model : nvidia_table().models) {
    const double work = metric_value(metrics, model.work).value_or(0);
    if (work > most) leading = &model;
    most = std::max(most, work);
  }
  return *find_metric(leading->work);
}

/// Operations once more: they must be the same, or the passes did not see the same work.
void count_work_again(const Recorder& recorder, const Work& work, Counted& counted) {
  const Metric& metric = leading_work(counted.metrics);
  try {
    const Recording again = recorder.record(counters_of(metric), work);
    counted.passes += again.passes;
    const auto first = metric_value(counted.metrics, metric.name);
    const auto second = metric_value(evaluate(again.counters), metric.name);
    if (!first || !second || std::abs(*first - *second) <= equal_counts * std::abs(*first)) return;
    counted.defects.push_back(
        fmt::format("the passes counted different work: {:.10g} {}, then {:.10g}", *first,
                    metric.unit, *second));
  } catch (const WrongSums&) {
    throw;
  } catch (const std::exception& error) {
    counted.defects.push_back(
        fmt::format("{} could not be counted again: {}", metric.name, error.what()));
  }
}

void keep(Recording recording, Counted& counted) {
  counted.passes += recording.passes;
  counted.counters.merge(recording.counters);
  counted.missing.insert(counted.missing.end(), recording.missing.begin(), recording.missing.end());
  counted.defects.insert(counted.defects.end(), recording.defects.begin(), recording.defects.end());
}

constexpr const char* fp64_instructions = "sm__thread_inst_executed_pipe_fp64_pred_on.sum";
constexpr const char* all_instructions = "sm__inst_executed.sum";
constexpr const char* issued_instructions = "smsp__issue_active.sum";

/// Instructions are executed in one pass and issued in another: as many, or the passes did not see
/// the same work.
void compare_passes(Counted& counted) {
  const auto executed = counted.counters.find(all_instructions);
  const auto issued = counted.counters.find(issued_instructions);
  if (executed == counted.counters.end() || issued == counted.counters.end()) return;
  if (std::abs(executed->second - issued->second) <= equal_instructions * executed->second) return;
  counted.defects.push_back(fmt::format(
      "the passes counted different work: {:.10g} instructions executed, then {:.10g} issued",
      executed->second, issued->second));
}

/// The hardware counter whose ratio of whole to slice scales a software counter.
const char* scale_of(std::string_view counter) {
  return counter.find("_op_d") != std::string_view::npos ? fp64_instructions : all_instructions;
}

/// How often `name` counted more on the whole than on the slice; empty where that is not known.
std::optional<double> ratio(const Counters& whole, const Counters& slice, const char* name) {
  const auto above = whole.find(name);
  const auto below = slice.find(name);
  if (above == whole.end() || below == slice.end()) return std::nullopt;
  if (!(above->second > 0) || !(below->second > 0)) return std::nullopt;
  return above->second / below->second;
}

/// The software counters of the slice, scaled to the whole. Without a scale they are missing, not
/// 0.
Recording scaled(const Recording& part, const Counters& whole) {
  Recording result{{}, {}, part.defects, part.passes};
  for (const auto& [name, number] : part.counters) {
    if (!counted_by_software(name)) continue;
    if (const auto scale = ratio(whole, part.counters, scale_of(name)))
      result.counters[name] = number * *scale;
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

/// Counts hardware counters on the whole problem, and software counters on the slice, scaled.
void count_on_slice(const Recorder& recorder, const Work& work, const SliceRun& slice,
                    Counted& counted) {
  std::vector<std::string> hardware, software;
  for (const std::string& name : needed_counters())
    (counted_by_software(name) ? software : hardware).push_back(name);
  keep(recorder.record(hardware, work), counted);
  software.insert(software.end(), {fp64_instructions, all_instructions});
  const Recording part = recorder.record(software, work_of(work.name, slice.run));
  counted.slice =
      SliceCount{slice.part, ratio(counted.counters, part.counters, fp64_instructions).value_or(0),
                 part.counters};
  keep(scaled(part, counted.counters), counted);
}

/// Metrics that are asked for only where another one was not zero.
void count_further(const Recorder& recorder, const Work& work, Counted& counted) {
  const std::vector<std::string> names = further_counters(counted.metrics);
  if (names.empty()) return;
  keep(recorder.record(names, work), counted);
  counted.metrics = evaluate(counted.counters);
}

/// A counter that the chip lacks is not missed where its metrics follow from others.
void forget_what_nobody_misses(Counted& counted) {
  std::erase_if(counted.missing, [&counted](const Missing& missing) {
    bool used = false;
    for (const Metric& metric : metric_table()) {
      const std::vector<std::string> names = counters_of(metric);
      if (std::find(names.begin(), names.end(), missing.name) == names.end()) continue;
      if (!metric_value(counted.metrics, metric.name)) return false;
      used = true;
    }
    return used;
  });
}

/// "dram_bytes was not counted: dram__bytes.sum: GA10B has no such counter"; empty where it was.
std::string why_not_counted(const Counted& counted, const Metric& metric) {
  if (metric_value(counted.metrics, metric.name)) return {};
  const std::vector<std::string> names = counters_of(metric);
  for (const Missing& missing : counted.missing)
    if (std::find(names.begin(), names.end(), missing.name) != names.end())
      return fmt::format("{} was not counted: {}: {}", metric.name, missing.name, missing.reason);
  return fmt::format("{} was not counted", metric.name);
}

/// Every chip counts the work of the first model. Where that or the bytes of DRAM are missing,
/// nothing is placed on a roofline. Says which is missing and why.
std::string lacks(const Counted& counted) {
  for (const std::string& name : {nvidia_table().models.front().work, std::string("dram_bytes")})
    if (std::string why = why_not_counted(counted, *find_metric(name)); !why.empty()) return why;
  return {};
}

}  // namespace

void run_checked(const CheckedRun& run) {
  if (const std::string wrong = run(); !wrong.empty()) throw WrongSums(wrong);
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
  switch (source) {
    case CountedBy::cupti:
      return "cupti";
    case CountedBy::likwid:
      return "likwid";
    case CountedBy::analytic:
      return "analytic";
    case CountedBy::nobody:
      break;
  }
  return "";
}

std::optional<CountedBy> source_by_name(std::string_view name) {
  for (const CountedBy source :
       {CountedBy::nobody, CountedBy::cupti, CountedBy::likwid, CountedBy::analytic})
    if (name == source_name(source)) return source;
  return std::nullopt;
}

bool is_hardware(CountedBy source) {
  return source == CountedBy::cupti || source == CountedBy::likwid;
}

Counted stated(Metrics metrics, std::string reason) {
  Counted counted = not_counted(std::move(reason));
  counted.source = CountedBy::analytic;
  counted.metrics = std::move(metrics);
  return counted;
}

namespace {

Counted count_with(const Recorder& recorder, const Work& work,
                   const std::optional<SliceRun>& slice) {
  if (const std::string why = recorder.unavailable(); !why.empty()) return not_counted(why);
  work.run();  // a program's first run loads code and fills its global arrays with 0
  Counted counted;
  counted.source = CountedBy::cupti;
  if (slice)
    count_on_slice(recorder, work, *slice, counted);
  else
    keep(recorder.record(needed_counters(), work), counted);
  counted.metrics = evaluate(counted.counters);
  count_further(recorder, work, counted);
  forget_what_nobody_misses(counted);
  if (!slice) count_work_again(recorder, work, counted);
  compare_passes(counted);
  if (std::string missing = lacks(counted); !missing.empty()) {
    counted.source = CountedBy::nobody;
    counted.reason = std::move(missing);
  }
  return counted;
}

}  // namespace

Counted count_by_hardware(const Recorder& recorder, const std::string& name, const CheckedRun& run,
                          const std::optional<SliceRun>& slice) {
  return counted_or_why_not([&] {
    try {
      return count_with(recorder, work_of(name, run), slice);
    } catch (const RecorderError& error) {
      return not_counted(error.what());
    }
  });
}

}  // namespace roofline
