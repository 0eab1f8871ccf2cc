// roofline show: a profile that was kept.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "roofline/tool/commands.h"
#include "roofline/tool/kept.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

struct Request {
  std::string record;
  std::string roofs;
  bool json = false;
};

int show_profile(const Request& request) {
  const Profile profile = kept_profile(request.record, request.roofs).profile;
  if (request.json)
    fmt::print("{}\n", profile_json(profile).dump(1));
  else
    fmt::print("{}\n{}", profile_table(profile), profile_charts(profile));
  return 0;
}

}  // namespace

ToolCommand add_show(CLI::App& program) {
  CLI::App* command = program.add_subcommand("show", "Show a profile that was kept");
  const auto request = std::make_shared<Request>();
  command->add_option("RECORD", request->record, "Folder of a profile, or its profile.json")
      ->required();
  add_roofs_option(*command, request->roofs);
  command->add_flag("--json", request->json, "Print JSON for scripts instead of text");
  return {command, [request] { return show_profile(*request); }};
}

}  // namespace roofline
