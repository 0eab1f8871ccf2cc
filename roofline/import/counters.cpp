// Counters of other profilers by the names of the models' table. Nsight Compute's have other names
// and forms by version, section and chip.
#include <fmt/format.h>

#include <array>
#include <set>

#include "roofline/counters.h"
#include "roofline/import/tables.h"
#include "roofline/metrics.h"

namespace roofline {
namespace {

constexpr const char* all_of_l2 =
    "L2 is all that it handled (lts__t_bytes): on A100, H100 and H200 more than the "
    "multiprocessors "
    "asked it for";
constexpr const char* from_a_rate =
    "Some sums follow from rates, which ncu rounds to two digits behind the point";

constexpr const char* from_averages =
    "Sums follow from the averages of a summary: exact but for those that follow from rates";

/// The cycles that a launch took, by which its clock is known.
constexpr const char* cycles_of_launch = "sm__cycles_elapsed.max";

/// What stalls are set against, the plainest first.
constexpr std::array issued_instructions = {"smsp__issue_active.sum", "smsp__inst_issued.sum",
                                            "sm__inst_executed.sum"};

/// Counters under the names that other versions and other sets of sections give them. `seconds` is
/// the time of the launch.
struct OtherName {
  const char* counter;
  const char* formula;
  const char* note = "";  ///< where it means something else
};
constexpr std::array other_names = {
    OtherName{"dram__bytes.sum", "dram__bytes_read.sum + dram__bytes_write.sum"},
    OtherName{"dram__bytes.sum", "dram__read_bytes.sum + dram__write_bytes.sum"},
    OtherName{"dram__bytes.sum",
              "(dram__bytes_read.sum.per_second + dram__bytes_write.sum.per_second) * seconds"},
    OtherName{"dram__bytes.sum", "32 * (dram__sectors_read.sum + dram__sectors_write.sum)"},
    OtherName{"l1tex__t_bytes.sum", "32 * l1tex__t_sectors.sum"},
    OtherName{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
              "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum + "
              "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    // The published definition (NERSC 2020) is from the V100, whose L2 is one piece. Where its
    // halves hand data to each other it holds that, too.
    OtherName{"lts__t_sectors_srcunit_tex.sum", "lts__t_bytes.sum / 32", all_of_l2},
    OtherName{"lts__t_sectors_srcunit_tex.sum", "lts__t_sectors.sum", all_of_l2},
    OtherName{cycles_of_launch, "sm__cycles_elapsed.avg"},
    OtherName{cycles_of_launch, "sm__cycles_elapsed.avg.per_second * seconds"},
    OtherName{cycles_of_launch, "smsp__cycles_elapsed.avg.per_second * seconds"},
    OtherName{cycles_of_launch, "gpc__cycles_elapsed.avg.per_second * seconds"},
    OtherName{issued_instructions[0], issued_instructions[1]},
    OtherName{issued_instructions[0], issued_instructions[2]},
    OtherName{"sm__ops_path_tensor_src_fp16.sum", "512 * v100_tensor_instructions",
              "Tensor operations are 512 for each instruction of a V100's tensor pipe, as NERSC "
              "counts them"},
};

/// A way to a counter's sum over a launch.
struct Way {
  Formula formula;
  std::string note;
};

/// The ways to a counter, the plainest first. `seconds` is the time of the launch.
std::vector<Way> ways_to(const std::string& counter) {
  std::vector<std::string> names = {counter};
  constexpr std::string_view sass = "sm__sass_";
  if (counter.starts_with(sass)) names.push_back("smsp__sass_" + counter.substr(sass.size()));
  std::vector<Way> ways;
  const auto add = [&ways](const std::string& formula, const char* note) {
    ways.push_back({Formula(formula), note});
  };
  for (const std::string& name : names) add(name, "");
  for (const std::string& name : names) {
    add(name + ".per_second * seconds", from_a_rate);
    const std::string cycles = name.substr(0, name.find("__")) + "__cycles_elapsed.avg";
    std::vector<std::string> in_a_cycle = {name + ".per_cycle_elapsed"};
    // What ncu's own sections derive is in a cycle, too.
    if (name.starts_with("smsp__sass_thread_inst"))
      for (const char* times : {"2", "4"})
        in_a_cycle.push_back(
            fmt::format("derived__{0}_x{1} / {1}", name.substr(0, name.rfind('.')), times));
    for (const std::string& rate : in_a_cycle)
      for (const char* in_seconds : {"", ".per_second * seconds"})
        add(fmt::format("{} * {}{}", rate, cycles, in_seconds), from_a_rate);
  }
  constexpr std::string_view stalled = "smsp__warps_issue_stalled_";
  if (counter.starts_with(stalled) && counter.ends_with(".sum"))
    for (const char* issued : issued_instructions)
      add(fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio * {}",
                      counter.substr(stalled.size(), counter.size() - stalled.size() - 4), issued),
          from_a_rate);
  for (const OtherName& other : other_names)
    if (counter == other.counter) add(other.formula, other.note);
  return ways;
}

struct Wanted {
  std::string counter;
  std::vector<Way> ways;
};

/// Everything that can be added up over launches: sums and samples, and no ratios.
const std::vector<Wanted>& wanted_counters() {
  static const std::vector<Wanted> wanted = [] {
    std::vector<Wanted> list;
    std::set<std::string> known = {"gpu__time_duration.sum"};
    const auto want = [&](const std::string& counter) {
      if (known.insert(counter).second) list.push_back({counter, ways_to(counter)});
    };
    for (const Metric& metric : nvidia_table().metrics)
      for (const std::string& counter : counters_of(metric, true))
        if (counter.ends_with(".sum") || counted_by_sampling(counter)) want(counter);
    want(cycles_of_launch);
    return list;
  }();
  return wanted;
}

const std::vector<Formula>& ways_to_seconds() {
  static const std::vector<Formula> ways = {
      Formula("gpu__time_duration.sum"),
      Formula("gpu__time_duration.avg"),
      Formula("gpu__time_duration.max"),
      Formula("gpu__time_duration"),
      Formula("sm__cycles_elapsed.avg / sm__cycles_elapsed.avg.per_second"),
      Formula("smsp__cycles_elapsed.avg / smsp__cycles_elapsed.avg.per_second")};
  return ways;
}

std::optional<double> seconds_in(const Counters& values) {
  for (const Formula& way : ways_to_seconds())
    if (const auto value = way.evaluate(values); value && *value > 0) return value;
  return std::nullopt;
}

/// The value of the counter by the first way whose numbers are all there; false where there is
/// none.
bool take_counter(const Wanted& wanted, const Counters& values, KernelProfile& launch) {
  for (const Way& way : wanted.ways) {
    const auto value = way.formula.evaluate(values);
    if (!value) continue;
    launch.counters[wanted.counter] = *value;
    if (!way.note.empty()) launch.notes.push_back(way.note);
    return true;
  }
  return false;
}

std::set<std::string> set_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

/// Compute capability 10 has FP32 instructions that work on pairs. Where they were not counted,
/// FP32 work is not known.
void drop_half_counted_fp32(KernelProfile& launch) {
  const auto counter = [](const char* op) {
    return fmt::format("sm__sass_thread_inst_executed_op_{}_pred_on.sum", op);
  };
  for (const char* pairs : {"ffma2", "fmul2", "fadd2"})
    if (!launch.counters.contains(counter(pairs)) && launch.counters.erase(counter("ffma")) != 0)
      launch.missing.push_back(
          {counter("ffma"),
           "FADD2, FMUL2 and FFMA2, which work on pairs of FP32 numbers at compute capability 10, "
           "were not all counted with it: roofline counters --for ncu names them"});
}

}  // namespace

KernelProfile ncu_counts(ImportedLaunch& launch, const ImportedTable& table) {
  Counters values;
  for (const auto& [name, value] : launch.values) values[std::string(name)] = value;
  const double* known = launch.find(compute_capability);
  const double chip = known == nullptr ? 0 : *known;
  // Instructions of the tensor pipe of a V100 are of one kind and size. Later chips have more
  // kinds, and Hopper counts instructions there that are none of its tensor cores'.
  if (const double* count = launch.find("sm__inst_executed_pipe_tensor.sum"); count && chip == 7)
    values["v100_tensor_instructions"] = *count;
  launch.seconds = seconds_in(values);
  if (launch.seconds) values["seconds"] = *launch.seconds;
  KernelProfile counts;
  if (launch.launches > 1) counts.notes.emplace_back(from_averages);
  for (const Wanted& wanted : wanted_counters()) {
    if (take_counter(wanted, values, counts)) continue;
    for (const Way& way : wanted.ways)
      for (const std::string& name : way.formula.names())
        if (const auto why = table.bad.find({launch.kernel, name});
            why != table.bad.end() && !values.contains(name))
          counts.missing.push_back({name, why->second});
  }
  if (chip >= 10 && chip < 11) drop_half_counted_fp32(counts);
  return counts;
}

KernelProfile rocprof_counts(ImportedLaunch& launch, const ImportedTable& table) {
  KernelProfile counts;
  for (const auto& [name, value] : launch.values) counts.counters[std::string(name)] = value;
  for (const auto& [place, why] : table.bad)
    if (place.first == launch.kernel && launch.find(place.second) == nullptr)
      counts.missing.push_back({std::string(place.second), why});
  return counts;
}

std::string_view known_counter(const std::string& name, bool of_ncu) {
  static const auto known = [] {
    std::array<std::set<std::string>, 2> names;  // of AMD's models, of any family, and of ncu
    for (const ModelTable* table : all_tables())
      if (table->vendor == amd_table().vendor)
        for (const Metric& metric : table->metrics)
          names[0].merge(set_of(counters_of(metric, true)));
    names[1] = {compute_capability};
    for (const Formula& way : ways_to_seconds()) names[1].merge(set_of(way.names()));
    for (const Wanted& wanted : wanted_counters())
      for (const Way& way : wanted.ways) names[1].merge(set_of(way.formula.names()));
    return names;
  }();
  const auto found = known[of_ncu ? 1 : 0].find(name);
  return found == known[of_ncu ? 1 : 0].end() ? std::string_view() : *found;
}

}  // namespace roofline
