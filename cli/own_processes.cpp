#include "cli/own_processes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

#include "harness/plugin/plugin.h"
#include "roofline/base/terminal.h"

namespace gpp {
namespace {

const char* name_of(roofline::LineMode mode) {
  return mode == roofline::LineMode::samples ? "samples" : "instructions";
}

/// The command line of such a process. This program starts itself, wherever it lies.
std::vector<std::string> command_line(const LinesElsewhereRequest& request, const Choice& choice,
                                      roofline::LineMode mode,
                                      std::optional<std::int64_t> part_terms) {
  std::vector<std::string> line = {"/proc/self/exe", "lines", choice.variant->id, "--no-build"};
  const auto add = [&line](const std::string& option, const std::string& value) {
    line.insert(line.end(), {option, value});
  };
  add(lines_mode_option, name_of(mode));
  add("--model", choice.variant->model);
  add("--device", choice.build->kind);
  add("--period", std::to_string(request.options.period));
  add("--counting-time", fmt::format("{}", request.options.counting_seconds));
  if (kernels().size() > 1) add("--kernel", request.kernel->name);
  if (!request.source.file.empty()) add("--input", request.source.file.string());
  if (!request.source.preset.empty()) add("--preset", request.source.preset);
  add("--seed", std::to_string(request.source.seed));
  if (request.options.whole) line.emplace_back("--whole");
  if (part_terms) add(lines_part_option, std::to_string(*part_terms));
  std::ranges::copy(arguments_of_plugins(), std::back_inserter(line));
  return line;
}

}  // namespace

std::FILE* keep_standard_output(const char* what) {
  std::fflush(stdout);
  const int ours = dup(STDOUT_FILENO);
  if (ours < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw std::runtime_error(fmt::format("standard output cannot be kept for the {}", what));
  return fdopen(ours, "w");
}

LinesRecord measure_lines_elsewhere(const LinesElsewhereRequest& request, const Choice& choice) {
  // A module that is loaded before anybody listens has no lines. Nothing here has asked for eager
  // loading on purpose.
  setenv("CUDA_MODULE_LOADING", "LAZY", 1);
  const auto silence = std::chrono::milliseconds(std::llround(1e3 * request.limit_s));
  roofline::ProgressLine progress;
  const auto run = [&](roofline::LineMode mode, std::optional<std::int64_t> part_terms) {
    progress.show(
        fmt::format("{} {}: {}", choice.variant->model, choice.variant->id,
                    mode == roofline::LineMode::samples ? "sampling" : "counting instructions"));
    roofline::Finished finished =
        roofline::run_program(command_line(request, choice, mode, part_terms), silence);
    progress.clear();
    return finished;
  };
  return measure_lines(run, request.limit_s);
}

}  // namespace gpp
