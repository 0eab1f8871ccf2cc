// gpp study: every runnable variant, checked and timed side by side, with its record.

#include <fmt/format.h>

#include <memory>

#include "harness/commands/commands.h"
#include "harness/commands/options.h"
#include "harness/hackathon/rebuild.h"
#include "harness/program/terminal.h"
#include "harness/record/record_json.h"
#include "harness/report/write.h"
#include "harness/study/measure.h"
#include "harness/views/charts.h"
#include "harness/views/csv.h"
#include "harness/views/load_text.h"
#include "harness/views/summary.h"
#include "harness/views/terminal_roofline.h"

namespace gpp {
namespace {

struct Request {
  Wanted wanted;
  MeasureRequest measure;
  std::filesystem::path output;
  bool json = false;
  BuildChoice build;
};

/// Bad input leaves no empty folder behind.
Measured measure_into(const std::filesystem::path& folder, MeasureRequest& request,
                      const std::vector<Choice>& choices) {
  request.folder = folder;
  try {
    return measure(request, choices);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(folder, ignored);  // removes nothing but empty folders
    throw;
  }
}

int run_all(Request& request) {
  rebuild_if_changed(catalog(), request.wanted, request.build, Outdated::refuse);
  const std::vector<Choice> choices = select(catalog(), request.wanted);
  const std::filesystem::path folder = results_folder(request.output);
  const Measured measured = measure_into(folder, request.measure, choices);
  const StudyRecord& study = measured.study;
  if (request.json)
    fmt::print("{}\n", to_json(study).dump(1));
  else
    fmt::print("{}{}", summary(study, colours_wanted()),
               terminal_rooflines(study, terminal_style()));
  std::fflush(stdout);  // seen even if the disk is full

  write_record(folder, study);
  write_whole(folder / "study.csv", csv({{folder.filename().string(), study}}));
  write_whole(folder / "summary.txt", summary(study, false) + doubts(study, false));
  const WrittenCharts charts = write_charts(folder, {{folder.filename().string(), study}});
  const std::filesystem::path page = write_report(folder, {{folder.filename().string(), study}});
  if (measured.interrupted)
    fmt::print(stderr, "gpp: interrupted; what was measured until then is kept\n");
  if (!request.json)
    fmt::print("Recorded in {}\n{}\nReport: {}\n", folder.string(), charts.note, page.string());
  if (!request.json) fmt::print("{}", doubts(study, colours_wanted()));
  return measured.status();
}

}  // namespace

Command add_study(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "study", "Check, time and count every variant that runs here; keep the record");
  const auto request = std::make_shared<Request>();
  add_source_options(*command, request->measure.source);
  add_model_options(*command, request->wanted);
  command->add_option("--only", request->wanted.only, "Only these variants, by id or step: v7,v8")
      ->delimiter(',');
  add_measuring_options(*command, request->measure.options);
  add_counting_options(*command, request->measure.options.counting);
  add_output_option(*command, request->output,
                    "Folder for the results (default: results/<date-time-host>)");
  add_build_options(*command, request->build);
  add_json_option(*command, request->json);
  command->footer(examples({"gpp study", "gpp study --preset medium --model omp --only v1,v11,v12",
                            "gpp study --input gpp214.dat --model cuda -o results/my-h200"}));
  return {command, [request] { return run_all(*request); }};
}

}  // namespace gpp
