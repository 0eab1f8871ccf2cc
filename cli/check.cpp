// gpp check: variants on every bundled, small and awkward input, without timing.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/measure/apart.h"
#include "harness/program/interrupt.h"
#include "roofline/base/json_place.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

/// A variant that does not end on an input is stopped.
constexpr double longest_answer_s = 60;

struct CheckRequest {
  std::vector<std::string> variants;
  Wanted wanted;
  std::vector<std::string> inputs;  // all where empty
  std::optional<double> tolerance;
  bool json = false;
  bool no_build = false;
};

/// The inputs asked for, in the kernel's order. Throws InputError for names that it lacks.
std::vector<CheckInput> inputs_of(const CheckRequest& request) {
  const Kernel& kernel = *request.wanted.kernel;
  if (kernel.check_inputs == nullptr)
    throw roofline::InputError(fmt::format("kernel {} has no inputs to check on", kernel.name));
  std::vector<CheckInput> all = kernel.check_inputs();
  if (request.inputs.empty()) return all;
  std::vector<std::string> names;
  std::vector<CheckInput> some;
  for (const CheckInput& input : all) {
    names.push_back(input.name);
    if (std::ranges::find(request.inputs, input.name) != request.inputs.end())
      some.push_back(input);
  }
  for (const std::string& name : request.inputs)
    if (std::ranges::find(names, name) == names.end())
      throw roofline::InputError("--only: " + roofline::unknown_name("input", name, names));
  return some;
}

/// Every variant asked for, where models are; else the one of each name that runs here.
std::vector<Choice> choices_of(const CheckRequest& request) {
  const std::vector<Variant>& catalog = request.wanted.kernel->catalog();
  Wanted wanted = request.wanted;
  wanted.only = request.variants;
  if (!wanted.models.empty()) return select(catalog, wanted);
  std::vector<Choice> choices;
  for (const std::string& name : request.variants)
    choices.push_back(select_one(catalog, name, wanted));
  return choices;
}

/// What is told of a checked variant. An infinite error is null in JSON.
struct Checked {
  std::string text;
  Json json;
  bool passed = false;
};

Checked told(const Choice& choice, const std::vector<CheckInput>& inputs,
             const std::vector<Check>& verdicts) {
  using enum roofline::Align;
  const Variant& variant = *choice.variant;
  roofline::Table table = roofline::plain_table({{"input", left},
                                                 {"error", right},
                                                 {"tolerance", right},
                                                 {"verdict", left},
                                                 {"what is in it", left}});
  std::string failures;
  Json rows = Json::array();
  std::size_t passed = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const CheckInput& input = inputs[i];
    const Check& check = verdicts[i];
    const double error = check.max_relative_error;
    table.add(
        {input.name, std::isfinite(error) ? fmt::format("{:.1e}", error) : "-",
         fmt::format("{:.0e}", check.tolerance), check.passed ? "ok" : "FAILED", input.meaning},
        check.passed ? "" : "bad");
    rows.push_back({{"name", input.name},
                    {"passed", check.passed},
                    {"max_relative_error", error},
                    {"tolerance", check.tolerance},
                    {"reason", check.reason}});
    passed += check.passed ? 1 : 0;
    if (check.passed) continue;
    failures +=
        "\n" + roofline::paragraph(input.name + ": " + check.reason, 2, roofline::text_width());
  }
  const std::string& kind = choice.build->kind;
  const bool all = passed == inputs.size();
  return {
      fmt::format("{} {} ({})\n\n{}{}\n{} of {} inputs passed.\n", variant.model, label_of(variant),
                  kind, roofline::terminal_text(table, roofline::colours_wanted()), failures,
                  passed, inputs.size()),
      {{"variant", variant.id},
       {"step", variant.step},
       {"model", variant.model},
       {"device", kind},
       {"inputs", std::move(rows)},
       {"passed", all}},
      all};
}

/// In JSON one variant is an object, several are an array of such.
int check_variants(CheckRequest& request) {
  adopt_plugins_and_edits(request.variants, request.wanted, request.no_build);
  const Kernel& kernel = *request.wanted.kernel;
  const std::vector<CheckInput> inputs = inputs_of(request);
  Json all = Json::array();
  bool everything = true;
  for (const Choice& choice : choices_of(request)) {
    everything = can_run(choice) && everything;
    if (choice.build == nullptr) continue;
    roofline::ProgressLine progress;
    progress.show(fmt::format("checking {} {} on {} inputs", choice.variant->model,
                              choice.variant->id, inputs.size()));
    const Checked checked = told(
        choice, inputs,
        check_on(inputs, choice, request.tolerance.value_or(kernel.tolerance(choice.variant->step)),
                 longest_answer_s, program_of(kernel, choice)));
    progress.clear();
    if (!request.json) fmt::print("{}{}", all.empty() ? "" : "\n", checked.text);
    all.push_back(checked.json);
    everything = everything && checked.passed;
  }
  if (request.json && !all.empty())
    fmt::print("{}\n", roofline::with_visible_texts(all.size() == 1 ? all.front() : all).dump(1));
  return everything && !all.empty() ? every_check_passed : something_failed;
}

}  // namespace

Command add_check(CLI::App& program) {
  CLI::App* command =
      add_command(program, to_measure, "check",
                  "Before you hand a variant in: every awkward input, without timing",
                  {"gpp check my_idea", "gpp check v8 v11 --model omp",
                   "gpp check my_idea --only mixed_bands --json"});
  const auto request = std::make_shared<CheckRequest>();
  command
      ->add_option(
          "variants", request->variants,
          "Ids or steps: my_idea, or v7 reciprocal; or files and folders of your own: my_idea/")
      ->required();
  add_model_options(*command, request->wanted);
  command->add_option("--only", request->inputs, "Only these inputs, by name: one_band,complex")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_tolerance_option(*command, request->tolerance);
  add_build_options(*command, request->no_build);
  add_json_option(*command, request->json);
  return {command, [request] { return check_variants(*request); }};
}

}  // namespace gpp
