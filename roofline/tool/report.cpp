// roofline report: the page of profiles that were kept.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/page.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::vector<std::string> records;
  std::string roofs;
  std::string output;
};

/// Of one profile the page goes beside it by itself. What does not end with .html is a folder for
/// report.html, which is made: no other file is ever written over.
fs::path file_for(const Request& request, const std::vector<KeptProfile>& kept) {
  if (request.output.empty() && kept.size() > 1)
    throw InputError("which file shall the page of several profiles be? Name it: -o FILE.html");
  const fs::path asked = request.output.empty() ? kept.front().folder : fs::path(request.output);
  std::error_code error;
  if (asked.extension() == ".html" && !fs::is_directory(asked, error)) return asked;
  fs::create_directories(asked, error);
  if (!fs::is_directory(asked, error))
    throw InputError(fmt::format("{}: this folder cannot be made; the page itself ends with .html",
                                 visible(asked.string())));
  return asked / "report.html";
}

int report(const Request& request) {
  std::vector<KeptProfile> kept;
  for (const std::string& record : request.records)
    kept.push_back(kept_profile(record, request.roofs));
  const fs::path file = file_for(request, kept);
  write_profile_page(file, kept);
  fmt::print("Report: {}\n", visible(file.string()));
  return 0;
}

}  // namespace

ToolCommand add_report(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("report", "Write report.html of profiles that were kept");
  const auto request = std::make_shared<Request>();
  command
      ->add_option("RECORD", request->records,
                   "Folders of profiles, or their profile.json; several share a page")
      ->required();
  command->add_option("-o,--output", request->output,
                      "FILE.html, or a folder for report.html (default: beside the profile)");
  add_roofs_option(*command, request->roofs);
  command->footer(
      "Examples:\n"
      "  roofline report results/vcopy\n"
      "  roofline report results/before results/after -o both.html");
  return {command, [request] { return report(*request); }};
}

}  // namespace roofline
