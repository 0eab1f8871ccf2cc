// `roofline counters`: lists the counters that another profiler must collect, in its input format.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/metrics.h"
#include "roofline/tool/commands.h"

namespace roofline {
namespace {

/// A line of counters for each metric: rocprof runs the program once for each, and none asks more
/// of a block of the hardware than it counts at a time.
std::string rocprof_input(const std::string& chip) {
  const ModelTable* table = table_of_chip(chip);
  if (table == nullptr)
    throw InputError(
        fmt::format("--chip {}: counters of {} are known", visible(chip), chips_with_tables));
  std::string text = fmt::format(
      "# of {}: rocprof -i THIS_FILE --timestamp on ./program; roofline import results.csv\n"
      "# rocprofv3 -i THIS_FILE -f csv -d out -- ./program; roofline import out\n",
      visible(chip));
  for (const Metric& metric : table->metrics)
    text += fmt::format("\n# {}, {}\npmc: {}\n", metric.name, metric.source,
                        fmt::join(counters_of(metric), " "));
  return text;
}

/// The argument for ncu's --metrics: all counters that the models need for work, bytes and
/// transactions, with the newest chips' names.
std::string ncu_metrics() {
  std::vector<std::string> names = {"gpu__time_duration.sum"};
  const auto add = [&names](const std::string& metric) {
    if (metric.empty()) return;
    for (const std::string& name : find_metric(metric)->formulas.front().names())
      if (name != half_constants && std::ranges::find(names, name) == names.end())
        names.push_back(name);
  };
  const ModelTable& table = nvidia_table();
  for (const std::vector<Model>& models : {table.models, table.instruction_models})
    for (const Model& model : models) {
      add(model.work);
      add(model.active);
      for (const Level& level : model.levels) add(level.traffic);
    }
  return fmt::format("{}\n", fmt::join(names, ","));
}

}  // namespace

ToolCommand add_counters(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "counters", "Before ncu or rocprof: write what it has to count, in its own form");
  const auto profiler = std::make_shared<std::string>(),
             chip = std::make_shared<std::string>("gfx90a");
  command->add_option("--for", *profiler, "The profiler: ncu or rocprof")
      ->required()
      ->check(CLI::IsMember({"ncu", "rocprof"}));
  command->add_option("--chip", *chip, "For rocprof: AMD's chip (default: gfx90a)");
  command->footer(
      "Examples:\n"
      "  ncu --csv --page raw --metrics \"$(roofline counters --for ncu)\" ./program > "
      "program.csv\n"
      "  roofline counters --for rocprof > roofline.txt");
  return {command, [profiler, chip] {
            fmt::print("{}", *profiler == "ncu" ? ncu_metrics() : rocprof_input(*chip));
            return 0;
          }};
}

}  // namespace roofline
