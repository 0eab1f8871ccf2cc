#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <string>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/judge/player.h"
#include "harness/measure/measure.h"
#include "harness/measure/worker.h"
#include "harness/program/build_info.h"
#include "roofline/base/text.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

using Actions = std::map<const CLI::App*, Action>;

Actions add_commands(CLI::App& program) {
  Actions actions;
  std::vector<AddCommand> all = {add_learn,  add_explain, add_doctor, add_list,       add_run,
                                 add_check,  add_study,   add_lines,  add_trajectory, add_compare,
                                 add_report, add_judge,   add_new};
  std::ranges::copy(kernels().front()->commands, std::back_inserter(all));
  for (const AddCommand add : all) {
    auto [command, action] = add(program);
    actions[command] = std::move(action);
  }
  return actions;
}

int complain(const std::string& message, ExitStatus status) {
  std::fflush(stdout);
  fmt::print(stderr, "{}: {}\n", program_name(), roofline::visible_lines(message));
  return status;
}

int parse_and_run(CLI::App& program, const Actions& actions, int argc, const char* const* argv) {
  if (argc < 2) {
    fmt::print("{}", program.help());
    return every_check_passed;
  }
  const auto commands = program.get_subcommands(
      [&](const CLI::App* command) { return argv[1][0] == '-' || command->get_name() == argv[1]; });
  if (commands.empty())
    return complain(fmt::format("unknown command '{}'; see {} --help", argv[1], program_name()),
                    bad_usage);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return program.exit(help) == 0 ? every_check_passed : bad_usage;
  } catch (const CLI::ParseError& error) {
    const auto chosen = program.get_subcommands();
    const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
    return complain(fmt::format("{}; see {}{} --help", error.what(), program_name(), command),
                    bad_usage);
  }
  require_possible_threads();
  return actions.at(program.get_subcommands().front())();
}

int run_caught(int argc, const char* const* argv) {
  try {
    const std::string& name = program_name();
    CLI::App program(
        fmt::format("{}, step by step: every variant of one kernel, checked and timed.",
                    kernels().front()->title),
        name);
    program.set_version_flag(
        "--version", fmt::format("{} {}, revision {}{}", name, build_info::version,
                                 build_info::git_revision.substr(0, 12),
                                 build_info::git_dirty ? ", with changes not committed" : ""));
    program.require_subcommand(1);
    const std::string run = fmt::format("run {}", kernels().front()->catalog().front().id);
    program.footer(
        fmt::format("Examples:\n"
                    "  {0} {1:<20} check and time everything that runs here\n"
                    "  {0} {2:<20} one variant\n"
                    "  {0} {3:<20} all about one command",
                    name, "study", run, "COMMAND --help"));
    const Actions actions = add_commands(program);
    return parse_and_run(program, actions, argc, argv);
  } catch (const roofline::InputError& error) {
    return complain(error.what(), bad_usage);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(fmt::format("{}: {}; name another file or folder", error.path1().string(),
                                error.code().message()),
                    bad_usage);
  } catch (const std::bad_alloc&) {
    return complain("out of memory; choose a smaller input", bad_usage);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return bad_usage;  // a failed write is reported at the end
    return complain(error.what(), something_failed);
  }
}

}  // namespace

bool can_run(const Choice& choice) {
  if (choice.build == nullptr)
    fmt::print(stderr, "{}: {} {} cannot run here: {}\n", program_name(), choice.variant->model,
               choice.variant->id, choice.reason);
  return choice.build != nullptr;
}

int study_main(const Kernel& kernel, int argc, const char* const* argv) {
  know(kernel);
  if (work_if_asked(argc, argv, play)) return 0;
  free_first_thread();
  const int status = run_caught(argc, argv);
  return roofline::output_arrived(kernel.name.c_str()) ? status : static_cast<int>(bad_usage);
}

}  // namespace gpp
