// gpp study: checks and times every runnable variant side by side, and records the results.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/command/results_folder.h"
#include "harness/measure/lines.h"
#include "harness/measure/measure.h"
#include "harness/program/interrupt.h"
#include "harness/record/record_json.h"
#include "harness/report/page.h"
#include "harness/view/outcome.h"
#include "harness/view/summary.h"
#include "roofline/base/text.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

/// Time limit of --quick for all variants together.
constexpr double quick_seconds = 4;

struct StudyRequest {
  bool quick = false;
  Wanted wanted;
  MeasureRequest measure;
  bool lines = false;
  ResultOptions results;
};

/// Measures the source lines of all variants that passed on a GPU. Missing data is reported and
/// recorded, but does not end the study.
void add_lines(const StudyRequest& request, const std::vector<Choice>& choices,
               Measured& measured) {
  const InterruptGuard guard;
  for (Result& result : measured.study.results) {
    if (result.kind != "gpu" || !result.timed() || InterruptGuard::interrupted()) continue;
    const auto choice = std::ranges::find_if(choices, [&result](const Choice& one) {
      return one.build != nullptr && one.build->kind == result.kind &&
             one.variant->id == result.variant && one.variant->model == result.model;
    });
    if (choice == choices.end()) continue;
    LinesRecord lines = measure_lines(*request.measure.kernel, request.measure.source, *choice);
    for (const std::string& lost : lines.lost)
      fmt::print(stderr, "{}: lines of {} {}: {}\n", program_name(), result.model, result.variant,
                 roofline::visible(lost));
    if (!lines.lines.empty()) result.lines = std::move(lines);
  }
  measured.interrupted = InterruptGuard::interrupted();
  measured.study.complete = !measured.interrupted;
}

/// --ladder, if the kernel has ladders.
void add_ladder_option(CLI::App& command, StudyRequest& request) {
  std::vector<std::string> names;
  for (const PublishedLadder& ladder : ladders_of(*request.wanted.kernel))
    names.push_back(ladder.name);
  if (names.empty()) return;
  command.add_option_function<std::string>(
      "--ladder",
      [&request](const std::string& name) {
        request.wanted.ladder = request.measure.ladder =
            &ladder_called(*request.wanted.kernel, name);
      },
      fmt::format("The steps of a ladder, its baseline first, beside what was published of it: {} "
                  "(gpp explain NAME tells it)",
                  fmt::join(names, ", ")));
}

int study(StudyRequest& request) {
  const Kernel& kernel = *request.wanted.kernel;
  const ResultOptions& results = request.results;
  if (request.wanted.ladder != nullptr && request.wanted.models.empty())
    request.wanted.models = {
        model_for(*request.wanted.ladder, kernel.catalog(), request.wanted.kind)};
  adopt_plugins_and_edits(request.wanted.only, request.wanted, results.no_build);
  if (request.quick) {
    request.measure.source.preset = quick_preset;
    double& limit = request.measure.options.timing.time_limit;
    limit = std::min(limit, quick_seconds);
  }
  const std::vector<Choice> choices = select(kernel.catalog(), request.wanted);
  ResultsFolder folder(results.output, results.replace ? Taken::replace : Taken::refuse);
  request.measure.folder = folder.path();
  request.measure.so_far = brief_so_far;
  Measured measured = measure(request.measure, choices);
  if (request.lines && !measured.interrupted) add_lines(request, choices, measured);
  const StudyRecord& record = measured.study;
  const bool colours = roofline::colours_wanted();
  const std::string text = results.json      ? to_json(record).dump(1) + "\n"
                           : results.details ? in_full(record, colours)
                                             : brief(record, colours);
  std::fputs(text.c_str(), stdout);  // the record is written even if this fails
  std::fflush(stdout);               // print now, in case the disk is full
  const roofline::WrittenCharts charts = write_study(folder, measured);
  const std::string place = roofline::visible(folder.path().string());
  if (measured.interrupted)
    fmt::print(stderr,
               "{}: interrupted; what was measured until then is kept in {}, marked partial\n",
               program_name(), place);
  if (!results.json)
    fmt::print("Recorded in {}\n{}Report: {}/report.html\n{}", place,
               results.details || !charts.complete ? charts.note + "\n" : "", place,
               learnt(record));
  return measured.status();
}

}  // namespace

Command add_study(CLI::App& program) {
  CLI::App* command =
      add_command(program, to_measure, "study",
                  "For a record: check, time and count every variant that runs here",
                  {"gpp study", "gpp study --preset medium --model omp --only v1,v11,v12",
                   "gpp study --input gpp214.dat --model cuda -o results/my-h200",
                   "gpp study --ladder sc20 --preset gpp214", "gpp study --quick"});
  const auto request = std::make_shared<StudyRequest>();
  add_study_options(*command, request->measure);
  command
      ->add_flag("--quick", request->quick,
                 "The kernel's quick preset: a few seconds, to see that all works")
      ->excludes("--input")
      ->excludes("--preset");
  add_model_options(*command, request->wanted);
  command
      ->add_option("--only", request->wanted.only,
                   "Only these variants, by id or step: v7,v8; or files and folders of your own: "
                   "v8,my_idea/")
      ->delimiter(',');
  add_ladder_option(*command, *request);
  command->add_flag("--lines", request->lines,
                    "Also where each variant's time goes on a GPU, source line by source line, "
                    "some 10 s each: gpp lines");
  add_result_options(*command, request->results,
                     "Folder for the results (default: results/<date-time-host>)");
  return {command, [request] { return study(*request); }};
}

}  // namespace gpp
