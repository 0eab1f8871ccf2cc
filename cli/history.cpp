// gpp history: the studies of one kernel over commits.

#include "roofline/history.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/commands.h"
#include "harness/measure/options.h"
#include "harness/program/exit_status.h"
#include "harness/record/comparison.h"
#include "harness/record/history.h"
#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/view/history_view.h"

namespace gpp {
namespace {

struct HistoryRequest {
  std::vector<std::string> names;
  std::string output;
  bool json = false;
};

/// "9bc2fe1 (results/a)": the commit, and the folder that tells it from others of the same.
std::string label_of(const std::string& name, const StudyRecord& study) {
  constexpr std::size_t letters = 7;
  const std::string commit = study.git.revision.substr(0, letters);
  return roofline::visible(commit.empty() ? name : fmt::format("{} ({})", commit, name));
}

/// "AMD EPYC, 2 threads"
std::string machine_of(const Result& result) {
  const std::string device = roofline::visible(result.device);
  return result.threads > 0 ? fmt::format("{}, {} threads", device, result.threads) : device;
}

/// Throws InputError where a variant ran elsewhere: a change would be the machine's, not the
/// commit's.
void require_same_machine(const StudyRecord& first, const StudyRecord& study) {
  for (const Result& one : first.results)
    for (const Result& other : study.results)
      if (one.kind == other.kind && one.model == other.model && one.variant == other.variant &&
          one.timed() && other.timed() && machine_of(one) != machine_of(other))
        throw roofline::InputError(fmt::format(
            "the studies are of different devices, {} and {}: a history is of one machine; gpp "
            "compare sets machines side by side",
            machine_of(one), machine_of(other)));
}

int show_history(const HistoryRequest& request) {
  roofline::require_names_of_history(request.names, "studies");
  std::vector<roofline::HistoryRecord> records;
  std::optional<StudyRecord> first;
  bool faults = false;
  for (const std::string& name : request.names) {
    const StudyRecord study = read_record(name);
    if (!first) first = study;
    require_comparable(*first, study);
    require_same_machine(*first, study);
    records.push_back(history_record(label_of(name, study), study));
    faults = has_faults(study);
  }
  const roofline::History history = roofline::history_of(std::move(records));
  print_history(history, request.json, request.output);
  if (faults) fmt::print(stderr, "gpp: a check of the last study failed, or it is partial\n");
  return faults || !history.passes() ? something_failed : every_check_passed;
}

}  // namespace

Command add_history(CLI::App& program) {
  CLI::App* command =
      program
          .add_subcommand("history", "Over commits: several studies, and what changed beyond noise")
          ->group(to_compare);
  const auto request = std::make_shared<HistoryRequest>();
  command->add_option("STUDY", request->names, "Results folders or study.json files, oldest first")
      ->required();
  command->add_option("-o,--output", request->output, "Folder for the chart: history.svg");
  add_json_option(*command, request->json);
  command->footer(
      "The exit status is 1 where the last study is worse than those before it, or shares nothing "
      "with them.\n" +
      examples({"gpp history results/commit1 results/commit2 results/commit3"}));
  return {command, [request] { return show_history(*request); }};
}

}  // namespace gpp
