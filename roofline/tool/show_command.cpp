// roofline show: a profile that was kept.
#include <fmt/format.h>

#include <memory>

#include "roofline/base/error.h"
#include "roofline/import/import.h"
#include "roofline/import/tables.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string record;
  std::string roofs;
  bool json = false;
};

int show_profile(const Request& request) {
  std::error_code error;
  const fs::path named = request.record;
  const fs::path file = fs::is_directory(named, error) ? named / "profile.json" : named;
  const nlohmann::json json = nlohmann::json::parse(text_of_table(file.string()), nullptr, false);
  if (json.is_discarded()) throw InputError(file.string() + ": not JSON, or cut off");
  Profile profile = read_profile(json, file.string());
  if (!request.roofs.empty()) {
    profile.ceilings = roofs_called(request.roofs, profile.kind);
    derive(profile);
  }
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
  command->add_option("--roofs", request->roofs, "Other roofs: v100, mi250x, or a file");
  command->add_flag("--json", request->json, "Print JSON for scripts instead of text");
  return {command, [request] { return show_profile(*request); }};
}

}  // namespace roofline
