// roofline: shows the kernels of any program under the roofs of its device.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/text.h"
#include "roofline/tool/commands.h"

namespace {

constexpr int failed = 1, unusable = 2;

/// Removes and returns the words after -- in "record ... -- program arguments". CLI11 would parse
/// "[1,2]" as a list, but the program must get it unchanged.
std::vector<std::string> words_of_program(int& argc, char** argv) {
  if (argc < 2) return {};
  const std::string_view command = argv[1];
  if (command != "record" && command != "lines") return {};
  char** const end = argv + argc;
  char** const dashes = std::find(argv + 1, end, std::string_view("--"));
  if (dashes == end) return {};
  argc = static_cast<int>(dashes - argv);
  return {dashes + 1, end};
}

int run(int argc, char** argv) {
  const std::vector<std::string> words = words_of_program(argc, argv);
  CLI::App program("Places the kernels of a program under the roofs of its device", "roofline");
  program.set_version_flag("--version", "roofline " ROOFLINE_VERSION);
  program.require_subcommand(1);
  const std::vector<roofline::ToolCommand> commands = {
      roofline::add_record(program, words), roofline::add_lines(program, words),
      roofline::add_counters(program),      roofline::add_import(program),
      roofline::add_show(program),          roofline::add_report(program),
      roofline::add_compare(program),       roofline::add_verify(program),
      roofline::add_ceilings(program)};
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : unusable;
  }
  for (const roofline::ToolCommand& command : commands)
    if (command.app->parsed()) return command.run();
  return failed;
}

int run_caught(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const roofline::InputError& error) {
    fmt::print(stderr, "roofline: {}\n", roofline::visible_lines(error.what()));
    return unusable;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return unusable;  // reported at the end
    fmt::print(stderr, "roofline: {}\n", roofline::visible_lines(error.what()));
    return failed;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int status = run_caught(argc, argv);
  return roofline::output_arrived("roofline") ? status : unusable;
}
