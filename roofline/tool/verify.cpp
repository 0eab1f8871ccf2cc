// roofline verify: tests counters with kernels whose counts are known.
#include "roofline/verify/verify.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/import/import.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

struct VerifyRequest {
  std::vector<std::string> ncu;
  std::string record;
  std::string output;
  bool json = false;
};

/// The test program, which lies beside this one.
std::string program_of_known_answers(const fs::path& here) {
  const fs::path program = here.parent_path() / "roofline-known-answers";
  std::error_code error;
  if (!fs::exists(program, error))
    throw InputError(
        fmt::format("{} is not there: this program was copied without it, or not built: build the "
                    "target roofline_known_answers",
                    visible(program.string())));
  return program.string();
}

/// The program's reasons for omitted kernels: "known_dmma: devices of ... have no ...".
std::map<std::string, std::string> left_out(const std::string& words) {
  std::map<std::string, std::string> reasons;
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);)
    for (const known::Kernel& kernel : known::kernels())
      if (line.starts_with(kernel.name + ": ") && !line.ends_with(": launched"))
        reasons[kernel.name] = line.substr(kernel.name.size() + 2);
  return reasons;
}

/// Counts with `roofline record`, as users do, so that its messages explain failures.
known::Verification count_here(const VerifyRequest& request) {
  const fs::path here = fs::read_symlink("/proc/self/exe");
  const std::string program = program_of_known_answers(here);
  const PassingFolder passing("roofline-verify");
  const std::string folder =
      request.output.empty() ? (passing.path() / "record").string() : request.output;
  // Roofs are not shown, so none need to be measured.
  const Finished done = run_program(
      {here.string(), "record", "--json", "--roofs", "v100", "-o", folder, "--", program});
  if (done.output.empty())
    throw InputError("the kernels of known answers could not be counted:\n" + done.errors);
  const Profile profile = read_profile(
      json_in(done.output, "what `roofline record` printed", "run it alone to see more"), program);
  return known::verify(profile, left_out(done.errors));
}

/// Throws InputError if the files come from another profiler.
known::Verification count_in_files(const std::vector<std::string>& files) {
  const Profile profile = import_profile({files.begin(), files.end()});
  if (profile.source != "ncu")
    throw InputError(
        fmt::format("{}: a table of {}, not of ncu", visible(files.front()), profile.source));
  return known::verify(profile);
}

known::Verification verification_of(const VerifyRequest& request) {
  if (!request.ncu.empty()) return count_in_files(request.ncu);
  if (!request.record.empty()) return known::verify(kept_profile(request.record).profile);
  return count_here(request);
}

int show_verification(const VerifyRequest& request) {
  const known::Verification verification = verification_of(request);
  if (request.json)
    fmt::print("{}\n", verification_json(verification).dump(1));
  else
    fmt::print("{}", verification_text(verification, colours_wanted(), text_width()));
  return verification.passes() ? 0 : 1;
}

}  // namespace

ToolCommand add_verify(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "verify", "To trust counters: count kernels whose answers are known, here or in a file");
  const auto request = std::make_shared<VerifyRequest>();
  CLI::Option* tables =
      command->add_option("--ncu", request->ncu, "Tables or reports of Nsight Compute");
  command->add_option("--record", request->record, "A profile that `roofline record` kept")
      ->excludes(tables);
  command->add_option("-o,--output", request->output, "Folder to keep the counted profile in");
  command->add_flag("--json", request->json, "Print JSON for scripts instead of text");
  command->footer(
      "The exit status is 0 where something was counted and all of that is right, 1 where "
      "something\n"
      "is wrong or nothing was counted, 2 where nothing could be run or read.\n"
      "Examples:\n"
      "  roofline verify\n"
      "  ncu --csv --page raw --metrics \"$(roofline counters --for ncu)\" \\\n"
      "    roofline-known-answers > known.csv\n"
      "  roofline verify --ncu known.csv");
  return {command, [request] { return show_verification(*request); }};
}

}  // namespace roofline
