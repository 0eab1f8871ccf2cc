// gpp lines: where a variant's time goes on a GPU, source line by source line.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/plugins.h"
#include "harness/command/option_values.h"
#include "harness/command/options.h"
#include "harness/measure/lines.h"
#include "harness/measure/measure.h"
#include "harness/program/source_files.h"
#include "harness/record/record_json.h"
#include "harness/view/lines.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/pattern.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

struct LinesRequest {
  std::string variant;
  Wanted wanted;
  SourceRequest source;
  LinesOptions options;
  double longest_wait = roofline::longest_wait_for_turn;
  fs::path from, into;
  int top = 20;
  bool all = false;
  bool json = false;
  BuildChoice build;
};

Choice chosen(const LinesRequest& request) {
  return select_one(request.wanted.kernel->catalog(), request.variant, request.wanted);
}

// ---- Records ------------------------------------------------------------------------------------

bool matches(const Result& result, const LinesRequest& request) {
  const std::vector<std::string>& models = request.wanted.models;
  return (result.variant == request.variant || result.step == request.variant) &&
         (models.empty() || std::ranges::find(models, result.model) != models.end()) &&
         (request.wanted.kind.empty() || request.wanted.kind == result.kind);
}

/// The result that is meant, of those that may be. Throws InputError where there is none.
template <class MayBe>
std::size_t find_result(const StudyRecord& study, const LinesRequest& request, const fs::path& path,
                        const MayBe& may_be, const std::string& otherwise) {
  bool there = false;
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    if (!matches(study.results[i], request)) continue;
    there = true;
    if (may_be(study.results[i])) return i;
  }
  throw roofline::InputError(
      there ? fmt::format("{}: {}", path.string(), otherwise)
            : fmt::format("{}: no result of {}; {} report {} shows what is there", path.string(),
                          request.variant, program_name(), path.string()));
}

fs::path file_of(const fs::path& record) {
  std::error_code error;
  return fs::is_directory(record, error) ? record / "study.json" : record;
}

std::string title_of(const StudyRecord& study, const Result& result) {
  return fmt::format("{} {}{} on {}, {}", result.model, result.variant,
                     result.step == result.variant ? "" : " " + result.step, result.device,
                     study.input.path);
}

/// The input that a record is of.
SourceRequest source_of(const StudyRecord& study) {
  SourceRequest source;
  static const roofline::Pattern preset("preset ([^ ,]+), seed ([0-9]+)");
  if (const auto match = preset.whole(study.input.path)) {
    source.preset = (*match)[1];
    const std::string& seed = (*match)[2];
    std::from_chars(seed.data(), seed.data() + seed.size(), source.seed);
  } else {
    source.file = study.input.path;
  }
  return source;
}

/// Puts the lines into a record; nothing else that it tells changes.
void add_to_record(const fs::path& file, std::size_t place, const LinesRecord& lines) {
  StudyRecord study = read_record(file);
  study.results[place].lines = lines;
  const std::string text = roofline::facts_text(study, true);
  parse_record(text, file.string());  // what could not be read again must not replace what can
  roofline::write_whole(file, text);
}

// ---- What is shown ------------------------------------------------------------------------------

Json identity(const std::string& variant, const std::string& step, const std::string& model) {
  return {{"variant", variant}, {"step", step}, {"model", model}};
}

void print(const LinesRequest& request, const LinesRecord& record, const std::string& title,
           Json json) {
  if (request.json) {
    const Json lines = to_json(record);
    for (const auto& [key, value] : lines.items()) json[key] = value;
    fmt::print("{}\n", roofline::with_visible_texts(json).dump(1));
    return;
  }
  const bool colours = roofline::colours_wanted();
  const std::string shown = roofline::visible(title);
  fmt::print("{}", request.all ? whole_files(record, shown, colours)
                               : hottest_lines(record, shown, static_cast<std::size_t>(request.top),
                                               colours));
}

int replay(const LinesRequest& request) {
  const StudyRecord study = read_record(request.from);
  const std::size_t place = find_result(
      study, request, request.from, [](const Result& result) { return result.lines.has_value(); },
      fmt::format("no lines were recorded of {}; {} lines {} --into {} adds them", request.variant,
                  program_name(), request.variant, request.from.string()));
  const Result& result = study.results[place];
  print(request, *result.lines, title_of(study, result),
        identity(result.variant, result.step, result.model));
  return every_check_passed;
}

/// A mode that is lost, or a sum that is not the hardware's, is a failure.
int status_of(const LinesRecord& record) {
  return record.has_samples() && record.has_counts() && record.sums_agree() ? every_check_passed
                                                                            : something_failed;
}

std::string input_named(const LinesRequest& request) {
  const SourceRequest& source = request.source;
  return !source.preset.empty() ? "preset " + source.preset
         : source.file.empty()  ? request.wanted.kernel->default_input
                                : source.file.string();
}

int show_lines(LinesRequest& request) {
  if (!request.from.empty()) return replay(request);
  if (request.wanted.kind.empty()) request.wanted.kind = "gpu";  // else a host's build may do
  adopt_plugin_and_edits(request.variant, request.wanted, request.build);
  std::size_t place = 0;
  std::optional<StudyRecord> study;
  if (!request.into.empty()) {
    study = read_record(request.into);
    place = find_result(
        *study, request, request.into,
        [](const Result& result) {
          return result.kind == "gpu" && result.status == Status::passed;
        },
        fmt::format("{} did not pass on a GPU there", request.variant));
    request.source = source_of(*study);
    request.wanted.models = {study->results[place].model};
    request.wanted.kind = "gpu";
  }
  const Choice choice = chosen(request);
  if (choice.build == nullptr || choice.build->kind != "gpu") {
    fmt::print(stderr, "{}: {} {} has no lines here: {}\n", program_name(), choice.variant->model,
               choice.variant->id,
               choice.build == nullptr
                   ? choice.reason
                   : "it runs on the host, and lines are sampled and counted on GPUs alone; run "
                     "tells of a host's machine code");
    return something_failed;
  }
  const auto turns = turns_for({choice}, request.longest_wait);  // the processes share it
  const std::string device = choice.build->runtime->describe().name;
  if (study && study->results[place].device != device)
    throw roofline::InputError(
        fmt::format("{}: {} ran on {} there, and this is {}; nothing was recorded",
                    request.into.string(), request.variant, study->results[place].device, device));
  const LinesRecord record =
      measure_lines(*request.wanted.kernel, request.source, choice, request.options);
  const std::string input = study ? study->input.path : input_named(request);
  print(request, record,
        fmt::format("{} {} on {}, {}", choice.variant->model, label_of(*choice.variant), device,
                    input),
        identity(choice.variant->id, choice.variant->step, choice.variant->model));
  std::fflush(stdout);  // seen even if the disk is full
  if (study) {
    if (record.terms > 0 && record.terms != study->input.terms)
      throw roofline::InputError(fmt::format(
          "{}: its input had {} {}, the one that was found now has {}; nothing was recorded",
          request.into.string(), study->input.terms, request.wanted.kernel->work, record.terms));
    if (!record.lines.empty()) add_to_record(file_of(request.into), place, record);
  }
  return status_of(record);
}

std::string finite_and_positive(const std::string& text) {
  double value = 0;
  if (parse_whole(text, value) && value > 0 && value < 1e6) return {};
  return fmt::format("{} is not a number of seconds above 0", text);
}

void add_measuring(CLI::App& command, LinesRequest& request) {
  command
      .add_option("--period", request.options.period,
                  "A multiprocessor is sampled every 2^N cycles; 10 to 12 cost little")
      ->check(CLI::Range(5, 31))
      ->capture_default_str();
  command
      .add_option("--counting-time", request.options.counting_seconds,
                  "Seconds that counting instructions may take by estimate; else a part of the "
                  "input is counted, and scaled")
      ->check(finite_and_positive)
      ->capture_default_str();
  command
      .add_option("--time-limit", request.options.limit_s,
                  "Seconds after which a worker that samples or counts is stopped")
      ->check(finite_and_positive)
      ->capture_default_str();
  add_wait_option(command, request.longest_wait);
}

}  // namespace

Command add_lines(CLI::App& program) {
  CLI::App* command = add_command(
      program, to_measure, "lines",
      "When a variant is slow on a GPU: where its time goes, line by line",
      {"gpp lines v4", "gpp lines v9 --preset gpp214 --all", "gpp lines v4 --into results/my-h200",
       "gpp lines v4 --from results/my-h200 --json"});
  const auto request = std::make_shared<LinesRequest>();
  command
      ->add_option("variant", request->variant,
                   "Its id or step: v4 or iw_outside; or a file or folder of your own: my_idea/")
      ->required();
  add_model_options(*command, request->wanted);
  add_source_options(*command, request->source);
  add_measuring(*command, *request);
  command->add_option("--top", request->top, "The hottest so many lines of the variant")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_flag("--all", request->all, "Whole files, with the heat of each line");
  auto* from = command->add_option("--from", request->from,
                                   "Show what a results folder or study.json holds; needs no GPU");
  auto* into = command->add_option("--into", request->into,
                                   "Add the lines to the variant's result in that record, on its "
                                   "input; nothing else of it changes");
  for (CLI::Option* one : {from, into})
    for (const char* other : {"--input", "--preset"}) one->excludes(command->get_option(other));
  from->excludes(into);
  add_build_options(*command, request->build);
  add_json_option(*command, request->json);
  return {command, [request] { return show_lines(*request); }};
}

}  // namespace gpp
