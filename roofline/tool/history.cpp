// roofline history: the profiles of one program over commits.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

#include "roofline/base/error.h"
#include "roofline/base/terminal.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/kept.h"
#include "roofline/view/history_view.h"

namespace roofline {
namespace {

struct HistoryRequest {
  std::vector<std::string> names;
  std::string output;
  bool json = false;
};

HistoryPart history_part(const Profile& profile, const KernelProfile& kernel) {
  HistoryPart part{kernel.runs, {}, {}};
  const ModelTable& table = table_of(profile.kind);
  for (const Model& model : table.models)
    if (const auto work = metric_value(kernel.metrics, model.work))
      part.work[work_key(model.name)] = *work;
  for (const Level& level : table.levels)
    if (const auto bytes = metric_value(kernel.metrics, level.traffic))
      part.bytes[level.name] = *bytes;
  return part;
}

/// Throws InputError where the devices differ: their times and bytes do not compare.
std::vector<HistoryRecord> history_records(const std::vector<std::string>& names) {
  std::vector<HistoryRecord> records;
  std::string device;
  for (const std::string& name : names) {
    const KeptProfile kept = kept_profile(name);
    const Profile& profile = kept.profile;
    if (!records.empty() && profile.device != device)
      throw InputError(fmt::format(
          "the profiles are of different devices, '{}' and '{}': times and bytes of these do not "
          "compare",
          device, profile.device));
    device = profile.device;
    records.push_back({kept_name(kept), profile.created, {}});
    for (const KernelProfile& kernel : profile.kernels)
      records.back().parts[kernel.name] = history_part(profile, kernel);
  }
  return records;
}

int show_history(const HistoryRequest& request) {
  if (request.names.size() < 2) throw InputError("a history needs two profiles or more");
  const History history = history_of(history_records(request.names));
  if (request.json)
    fmt::print("{}\n", history_json(history).dump(1));
  else
    fmt::print("{}", history_text(history, colours_wanted(), text_width()));
  const std::string note = write_history_chart(history, request.output);
  if (!request.json && !note.empty()) fmt::print("{}\n", note);
  return history.last_is_worse() || history.compared == 0 ? 1 : 0;
}

}  // namespace

ToolCommand add_history(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "history", "Over commits: several profiles of one program, and what changed beyond noise");
  const auto request = std::make_shared<HistoryRequest>();
  command
      ->add_option("RECORD", request->names,
                   "Folders of profiles, or their profile.json, oldest first")
      ->required();
  command->add_option("-o,--output", request->output, "Folder for the chart: history.svg");
  command->add_flag("--json", request->json, "Print JSON for scripts instead of text");
  command->footer(
      "The exit status is 1 where the last profile is worse than those before it, or shares "
      "nothing with them.\n"
      "Example:\n"
      "  roofline record --runs 10 -o results/commit3 -- ./program\n"
      "  roofline history results/commit1 results/commit2 results/commit3 -o history");
  return {command, [request] { return show_history(*request); }};
}

}  // namespace roofline
