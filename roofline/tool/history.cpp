// roofline history: the profiles of one program over commits.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "roofline/base/error.h"
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
      records.back().parts[kernel.key()] = history_part(kernel.runs, profile.kind, kernel.metrics);
  }
  return records;
}

int show_history(const HistoryRequest& request) {
  if (request.names.size() < 2) throw InputError("a history needs two profiles or more");
  const History history = history_of(history_records(request.names));
  print_history(history, request.json, request.output);
  return history.passes() ? 0 : 1;
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
