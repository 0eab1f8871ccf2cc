// gpp lines: where a variant's time goes on a GPU, source line by source line.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/measure/lines.h"
#include "harness/measure/measure.h"
#include "harness/record/record_json.h"
#include "roofline/base/json_place.h"
#include "roofline/base/text.h"
#include "roofline/view/lines.h"

namespace gpp {
namespace {

struct LinesRequest {
  std::string variant;
  Wanted wanted;
  SourceRequest source;
  int period = default_period;
  double longest_wait = roofline::longest_wait_for_turn;
  std::filesystem::path from;
  std::size_t top = 20;
  bool json = false;
  bool no_build = false;
};

/// The result has the names of the variant, and the device.
void print(const LinesRequest& request, const LinesRecord& record, const Result& result,
           const std::string& input) {
  if (request.json) {
    Json json = {{"variant", result.variant}, {"step", result.step}, {"model", result.model}};
    json.update(to_json(record));
    fmt::print("{}\n", roofline::with_visible_texts(json).dump(1));
    return;
  }
  const std::string title = roofline::visible(
      fmt::format("{} {} on {}, {}", result.model, full_name(result), result.device, input));
  fmt::print("{}", hottest_lines(record, title, request.top, roofline::colours_wanted()));
}

int replay(const LinesRequest& request) {
  const std::vector<std::string>& models = request.wanted.models;
  const StudyRecord study = read_record(request.from);
  for (const Result& result : study.results) {
    if (!result.lines || (result.variant != request.variant && result.step != request.variant) ||
        (!models.empty() && std::ranges::find(models, result.model) == models.end()))
      continue;
    print(request, *result.lines, result, study.input.path);
    return every_check_passed;
  }
  throw roofline::InputError(fmt::format(
      "{}: no lines of {} were recorded; {} study --lines records those of all its variants",
      request.from.string(), request.variant, program_name()));
}

int show_lines(LinesRequest& request) {
  if (!request.from.empty()) return replay(request);
  if (request.wanted.kind.empty()) request.wanted.kind = "gpu";  // else a host's build may do
  adopt_plugin_and_edits(request.variant, request.wanted, request.no_build);
  const Kernel& kernel = *request.wanted.kernel;
  const Choice choice = select_one(kernel.catalog(), request.variant, request.wanted);
  if (choice.build != nullptr && choice.build->kind != "gpu")
    throw roofline::InputError(
        "--device host: lines are sampled and counted on GPUs alone; run tells of a host's machine "
        "code");
  if (!can_run(choice)) return something_failed;
  const auto turns = turns_for({choice}, request.longest_wait);  // the processes share it
  Result result;
  result.variant = choice.variant->id;
  result.step = choice.variant->step;
  result.model = choice.variant->model;
  result.device = choice.build->runtime->describe().name;
  const SourceRequest& source = request.source;
  const LinesRecord record = measure_lines(kernel, source, choice, request.period);
  print(request, record, result,
        !source.preset.empty() ? "preset " + source.preset
        : source.file.empty()  ? kernel.default_input
                               : source.file.string());
  // A mode that is lost is a failure.
  return record.has_samples() && record.has_counts() ? every_check_passed : something_failed;
}

}  // namespace

Command add_lines(CLI::App& program) {
  CLI::App* command =
      add_command(program, to_measure, "lines",
                  "When a variant is slow on a GPU: where its time goes, line by line",
                  {"gpp lines v4", "gpp lines v9 --preset gpp214 --top 40",
                   "gpp lines v4 --from results/my-h200 --json"});
  const auto request = std::make_shared<LinesRequest>();
  command
      ->add_option("variant", request->variant,
                   "Its id or step: v4 or iw_outside; or a file or folder of your own: my_idea/")
      ->required();
  add_model_options(*command, request->wanted);
  add_source_options(*command, request->source);
  command
      ->add_option("--period", request->period,
                   "A multiprocessor is sampled every 2^N cycles; 10 to 12 cost little")
      ->check(CLI::Range(5, 31))
      ->capture_default_str();
  add_wait_option(*command, request->longest_wait);
  command->add_option("--top", request->top, "The hottest so many lines of the variant")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  auto* from = command->add_option("--from", request->from,
                                   "Show what a results folder or study.json holds; needs no GPU");
  for (const char* other : {"--input", "--preset"}) from->excludes(command->get_option(other));
  add_build_options(*command, request->no_build);
  add_json_option(*command, request->json);
  return {command, [request] { return show_lines(*request); }};
}

}  // namespace gpp
