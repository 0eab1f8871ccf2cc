// `roofline counters`: what another profiler must count for the models here, in its own form.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "roofline/metrics.h"
#include "roofline/tool/commands.h"

namespace roofline {
namespace {

/// A line of counters for each metric: rocprof runs the program once for each, and none asks more
/// of a block of the hardware than it counts at a time.
std::string rocprof_input() {
  std::string text =
      "# rocprof -i THIS_FILE --timestamp on ./program\n# roofline import results.csv\n";
  for (const Metric& metric : amd_table().metrics)
    text += fmt::format("\n# {}, {}\npmc: {}\n", metric.name, metric.source,
                        fmt::join(counters_of(metric), " "));
  return text;
}

}  // namespace

ToolCommand add_counters(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "counters", "Before rocprof: write the input file that names what it has to count");
  const auto profiler = std::make_shared<std::string>();
  command->add_option("--for", *profiler, "The profiler: rocprof")
      ->required()
      ->check(CLI::IsMember({"rocprof"}));
  command->footer(
      "Examples:\n"
      "  roofline counters --for rocprof > roofline.txt");
  return {command, [] {
            fmt::print("{}", rocprof_input());
            return 0;
          }};
}

}  // namespace roofline
