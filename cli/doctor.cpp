// gpp doctor: reports what this machine can do, and a remedy for each thing that it cannot do.

#include "cli/doctor_checks.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "roofline/base/terminal.h"

namespace gpp {
namespace {

std::vector<Finding> findings() {
  std::vector<Finding> all;
  for (const DoctorCheck look : doctor_checks())
    for (Finding& finding : look()) all.push_back(std::move(finding));
  return all;
}

void print_json(const std::vector<Finding>& all) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Finding& finding : all)
    rows.push_back({{"subject", finding.subject},
                    {"health", name_of(finding.health)},
                    {"text", finding.text},
                    {"remedy", finding.remedy}});
  fmt::print("{}\n", rows.dump(1));
}

roofline::Colour colour_of(Health health) {
  return health == Health::good
             ? roofline::Colour::green
             : (health == Health::note ? roofline::Colour::yellow : roofline::Colour::red);
}

void print_text(const std::vector<Finding>& all) {
  const bool colours = roofline::colours_wanted();
  for (const Finding& finding : all) {
    const std::string health = fmt::format("{:<8}", name_of(finding.health));
    fmt::print("{}{:<20}{}\n", roofline::coloured(health, colour_of(finding.health), colours),
               finding.subject, roofline::wrapped(finding.text, 100, 28, 28));
    if (!finding.remedy.empty())
      fmt::print("{:28}-> {}\n", "", roofline::wrapped(finding.remedy, 100, 31, 31));
  }
}

}  // namespace

Command add_doctor(CLI::App& program) {
  CLI::App* command = add_command(program, to_measure, "doctor",
                                  "First, or where something is missing: what this machine can do",
                                  {"gpp doctor", "gpp doctor --json"});
  const auto json = std::make_shared<bool>(false);
  add_json_option(*command, *json);
  return {command, [json] {
            const std::vector<Finding> all = findings();
            *json ? print_json(all) : print_text(all);
            const bool problem = std::ranges::any_of(
                all, [](const Finding& finding) { return finding.health == Health::problem; });
            return problem ? something_failed : every_check_passed;
          }};
}

}  // namespace gpp
