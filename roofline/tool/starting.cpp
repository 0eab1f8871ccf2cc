#include "roofline/tool/commands.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/cuda_driver.h"
#include "roofline/recorder.h"

namespace roofline {

namespace fs = std::filesystem;

ToolCommand for_a_program(CLI::App& command, std::vector<std::string>& arguments,
                          std::vector<std::string> words, std::function<int()> action) {
  command.prefix_command();  // without --, the first word that is not an option is the program
  arguments = std::move(words);
  return {
      &command, [&command, &arguments, action = std::move(action)] {
        if (arguments.empty()) arguments = command.remaining();
        if (arguments.empty())
          throw InputError(fmt::format(
              "no program is named; it follows --: roofline {} -- ./program", command.get_name()));
        return action();
      }};
}

void add_watching_options(CLI::App& command, std::string& kernel, double& longest_wait) {
  command.add_option("--kernel", kernel,
                     "Only kernels whose name contains this regular expression");
  command
      .add_option("--wait", longest_wait,
                  "Seconds to wait while another program measures on the GPU")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
}

void say(const std::string& text) { fmt::print(stderr, "roofline: {}\n", visible_lines(text)); }

void say_other_end(const inject::Tally& shown, const inject::Tally& counted) {
  if (counted.interrupted == 0 && shown.interrupted == 0 && counted.status != shown.status)
    say(fmt::format("the program ended with {} when counted, and with {} before", counted.status,
                    shown.status));
}

/// The file beside this program, or the installed one.
std::string library_file() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* below : {"../lib", "../" ROOFLINE_LIBRARY_FOLDER})
    if (const fs::path file = fs::weakly_canonical(folder / below / "libroofline_inject.so", error);
        fs::is_regular_file(file, error))
      return file.string();
  throw InputError(
      "libroofline_inject.so does not lie beside this program (../lib): this program was copied "
      "without it, or built without CUPTI's headers; then install the CUDA Toolkit 12.6 or later "
      "and build again");
}

std::string check_machine(const std::string& kept) {
  CudaDriverDevice device;
  if (const std::string why = ask_cuda_driver(0, device); !why.empty())
    throw InputError(fmt::format("no GPU to count on: {}. The program was not started", why));
  if (const std::string why = cupti::status().missing; !why.empty())
    throw InputError(why + ". The program was not started");
  if (counters_restricted().value_or(false) && !is_administrator())
    say(fmt::format("{}. {}", missing_right(), kept));
  return device.place;
}

std::string nothing_launched(const inject::Tally& run) {
  if (run.processes == 0)
    return "the program did not call CUDA, so there is nothing to count. Is it a CUDA program, "
           "with a driver of its own (statically linked), or one of another maker's?";
  return run.launches == 0 && run.refused.empty() ? "the program called CUDA and launched no kernel"
                                                  : "";
}

}  // namespace roofline
