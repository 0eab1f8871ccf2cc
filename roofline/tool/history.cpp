// roofline history: the profiles of one program over commits.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/counting.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/kept.h"
#include "roofline/view/history_view.h"

namespace roofline {
namespace {

struct HistoryRequest {
  std::vector<std::string> names;
  std::string output;
  bool any_program = false;
  bool json = false;
};

/// The program that ran, without its folder, because builds of commits lie in several, and its
/// arguments. Empty for imports, which know the names of files alone.
std::string run_of(const Profile& profile) {
  if (profile.source != source_name(CountedBy::cupti)) return {};
  const std::size_t end = std::min(profile.program.find(' '), profile.program.size());
  return std::filesystem::path(profile.program.substr(0, end)).filename().string() +
         profile.program.substr(end);
}

/// Throws InputError where the devices differ, whose times and bytes do not compare, or what was
/// run; the latter is only told where somebody wants to compare `any_program`.
void require_same_run(const Profile& first, const Profile& profile, const std::string& name,
                      bool any_program) {
  if (profile.device != first.device)
    throw InputError(fmt::format(
        "the profiles are of different devices, '{}' and '{}': times and bytes of these do not "
        "compare",
        first.device, profile.device));
  const std::string before = run_of(first), now = run_of(profile);
  if (before == now || before.empty() || now.empty()) return;
  const std::string differ =
      fmt::format("{}: it is of '{}', and the first profile of '{}'", visible(name), now, before);
  if (!any_program)
    throw InputError(differ +
                     ". A history is of one program with the same arguments; --any-program "
                     "compares all the same");
  fmt::print(stderr, "roofline: beware, what changes may be the work: {}\n", differ);
}

HistoryRecord history_record_of(const Profile& profile, const std::string& label,
                                const std::string& name) {
  HistoryRecord record{label, profile.created, {}};
  for (const KernelProfile& kernel : profile.kernels)
    if (!record.parts.emplace(kernel.key(), history_part(kernel.runs, profile.kind, kernel.metrics))
             .second)
      throw InputError(fmt::format("{}: the kernel '{}' stands twice: which one counts?",
                                   visible(name), short_name(kernel.name)));
  return record;
}

/// Folders of the same name are told apart by the whole path.
std::vector<HistoryRecord> history_records(const HistoryRequest& request) {
  std::vector<KeptProfile> kept;
  std::map<std::string, int> times;
  for (const std::string& name : request.names) {
    kept.push_back(kept_profile(name));
    require_same_run(kept.front().profile, kept.back().profile, name, request.any_program);
    ++times[kept_name(kept.back())];
  }
  std::vector<HistoryRecord> records;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::string label = kept_name(kept[i]), &name = request.names[i];
    records.push_back(
        history_record_of(kept[i].profile, times[label] > 1 ? visible(name) : label, name));
  }
  return records;
}

int show_history(const HistoryRequest& request) {
  require_names_of_history(request.names, "profiles");
  const History history = history_of(history_records(request));
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
  command->add_flag("--any-program", request->any_program,
                    "Compare profiles of other programs or arguments, too; says which differ");
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
