// `roofline counters`: lists the counters that another profiler must collect, in its input format.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

#include "roofline/formula.h"
#include "roofline/metrics.h"
#include "roofline/tool/commands.h"

namespace roofline {
namespace {

/// One line of counters per metric. rocprof runs the program once per line, and each line needs no
/// more counters of a hardware block than exist.
std::string rocprof_input() {
  std::string text =
      "# rocprof -i THIS_FILE --timestamp on ./program\n# roofline import results.csv\n";
  for (const Metric& metric : amd_table().metrics)
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
    for (const std::string& name : Formula(find_metric(metric)->formula).names())
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
  const auto profiler = std::make_shared<std::string>();
  command->add_option("--for", *profiler, "The profiler: ncu or rocprof")
      ->required()
      ->check(CLI::IsMember({"ncu", "rocprof"}));
  command->footer(
      "Examples:\n"
      "  ncu --csv --page raw --metrics \"$(roofline counters --for ncu)\" ./program > "
      "program.csv\n"
      "  roofline counters --for rocprof > roofline.txt");
  return {command, [profiler] {
            fmt::print("{}", *profiler == "ncu" ? ncu_metrics() : rocprof_input());
            return 0;
          }};
}

}  // namespace roofline
