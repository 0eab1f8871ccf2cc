// gpp study: every runnable variant, checked and timed side by side, with its record.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/lines_elsewhere.h"
#include "cli/rebuild.h"
#include "cli/results_folder.h"
#include "harness/measure/measure.h"
#include "harness/measure/options.h"
#include "harness/program/interrupt.h"
#include "harness/record/record_json.h"
#include "harness/report/write.h"
#include "harness/show/charts.h"
#include "harness/show/csv.h"
#include "harness/show/load_text.h"
#include "harness/show/roofline_chart.h"
#include "harness/show/summary.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"
#include "roofline/charts/terminal.h"

namespace gpp {
namespace {

struct Request {
  Wanted wanted;
  MeasureRequest measure;
  bool lines = false;
  std::filesystem::path output;
  bool replace = false;
  bool json = false;
  BuildChoice build;
};

/// All that is drawn from the record. The record itself says that it is complete when all of it is
/// there. Returns what became of the charts.
std::string write_study(ResultsFolder& folder, const Measured& measured) {
  StudyRecord partial = measured.study;
  partial.complete = false;
  write_record(folder.working(), partial);
  const std::vector<NamedStudy> named = {{folder.name(), measured.study}};
  roofline::write_whole(folder.working() / "study.csv", csv(named));
  roofline::write_whole(folder.working() / "summary.txt",
                        summary(measured.study, false) + doubts(measured.study, false));
  const roofline::WrittenCharts charts = write_charts(folder.working(), named);
  write_report(folder.working(), named);
  if (measured.interrupted) return charts.note;
  folder.put_in_place();
  write_record(folder.path(), measured.study);
  return charts.note;
}

/// The lines of all that passed on a GPU. What is missing of one is said, and ends no study: the
/// record tells it, too.
void add_lines(const Request& request, const std::vector<Choice>& choices, Measured& measured) {
  const InterruptGuard guard;
  for (Result& result : measured.study.results) {
    if (result.kind != "gpu" || !result.timed() || InterruptGuard::interrupted()) continue;
    const auto choice = std::find_if(choices.begin(), choices.end(), [&result](const Choice& one) {
      return one.build != nullptr && one.build->kind == result.kind &&
             one.variant->id == result.variant && one.variant->model == result.model;
    });
    if (choice == choices.end()) continue;
    LinesRecord lines =
        measure_lines_elsewhere({request.measure.kernel, request.measure.source}, *choice);
    for (const std::string& lost : lines.lost)
      fmt::print(stderr, "gpp: lines of {} {}: {}\n", result.model, result.variant,
                 roofline::visible(lost));
    if (!lines.lines.empty()) result.lines = std::move(lines);
  }
  measured.interrupted = measured.interrupted || InterruptGuard::interrupted();
}

int run_all(Request& request) {
  rebuild_if_changed(request.wanted, request.build, Outdated::refuse);
  request.measure.kernel = request.wanted.kernel;
  const std::vector<Choice> choices = select(request.wanted.kernel->catalog(), request.wanted);
  ResultsFolder folder(request.output, request.replace ? Taken::replace : Taken::refuse);
  request.measure.folder = folder.working();
  Measured measured = measure(request.measure, choices);
  if (request.lines && !measured.interrupted) add_lines(request, choices, measured);
  const StudyRecord& study = measured.study;
  if (request.json)
    fmt::print("{}\n", to_json(study).dump(1));
  else
    fmt::print("{}{}", summary(study, roofline::colours_wanted()),
               terminal_rooflines(study, roofline::terminal_style()));
  std::fflush(stdout);  // seen even if the disk is full

  const std::string charts = write_study(folder, measured);
  if (measured.interrupted)
    fmt::print(stderr, "gpp: interrupted; what was measured until then is kept, marked partial{}\n",
               folder.replaces()
                   ? fmt::format(", and {} keeps its old study", folder.path().string())
                   : "");
  if (!request.json)
    fmt::print("Recorded in {}\n{}\nReport: {}\n", roofline::visible(folder.working().string()),
               charts, roofline::visible((folder.working() / "report.html").string()));
  if (!request.json) fmt::print("{}", doubts(study, roofline::colours_wanted()));
  return measured.status();
}

}  // namespace

Command add_study(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "study", "Check, time and count every variant that runs here; keep the record");
  const auto request = std::make_shared<Request>();
  add_kernel_option(*command, request->wanted.kernel);
  add_source_options(*command, request->measure.source);
  add_model_options(*command, request->wanted);
  command->add_option("--only", request->wanted.only, "Only these variants, by id or step: v7,v8")
      ->delimiter(',');
  add_measuring_options(*command, request->measure.options);
  add_counting_options(*command, request->measure.options.counting);
  command->add_flag("--lines", request->lines,
                    "Also where each variant's time goes on a GPU, source line by source line, "
                    "some 10 s each: gpp lines");
  add_output_option(*command, request->output,
                    "Folder for the results (default: results/<date-time-host>)");
  add_replace_option(*command, request->replace);
  add_build_options(*command, request->build);
  add_json_option(*command, request->json);
  command->footer(examples({"gpp study", "gpp study --preset medium --model omp --only v1,v11,v12",
                            "gpp study --input gpp214.dat --model cuda -o results/my-h200"}));
  return {command, [request] { return run_all(*request); }};
}

}  // namespace gpp
