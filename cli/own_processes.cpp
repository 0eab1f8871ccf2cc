#include "cli/own_processes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

#include "harness/plugin/plugin.h"
#include "roofline/base/machine.h"
#include "roofline/base/terminal.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

const char* name_of(roofline::LineMode mode) {
  return mode == roofline::LineMode::samples ? "samples" : "instructions";
}

/// The command line of a child process. The program starts itself, wherever its file lies.
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

std::vector<std::string> command_line(const TrajectoryElsewhereRequest& request,
                                      TrajectoryMode mode, const std::vector<int>& units) {
  // /proc gives this very program, even if its file was replaced since.
  const std::string program = fmt::format("/proc/{}/exe", getpid());
  std::vector<std::string> line;
  // OpenMP reads these at start. Places for the whole machine would be wrong for fewer processors.
  if (request.kind == "host")
    line = {"/usr/bin/env",      "-u",
            "OMP_PLACES",        "-u",
            "GOMP_CPU_AFFINITY", "-u",
            "KMP_AFFINITY",      fmt::format("OMP_NUM_THREADS={}", units.front())};
  line.insert(line.end(), {program, "trajectory"});
  line.insert(line.end(), request.arguments.begin(), request.arguments.end());
  line.insert(line.end(),
              {"--units", fmt::format("{}", fmt::join(units, ",")), "--device", request.kind,
               trajectory_mode_option, mode == TrajectoryMode::time ? "time" : "count"});
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
  // The recorder sees only modules that load after it attaches, so modules must load lazily. The
  // user did not ask for eager loading here.
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

std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root) {
  std::vector<int> first, others;
  for (const int processor : processors) {
    std::string list = roofline::kernel_file(
        root /
        fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor));
    list.erase(list.find_last_not_of('\n') + 1);
    const std::vector<int> siblings = roofline::parse_processors(list);
    const bool beside = std::ranges::any_of(
        first, [&siblings](int one) { return std::ranges::find(siblings, one) != siblings.end(); });
    (beside ? others : first).push_back(processor);
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

TrajectoryElsewhere trajectory_elsewhere(const TrajectoryElsewhereRequest& request) {
  return [request](TrajectoryMode mode, const std::vector<int>& units) {
    roofline::ProgressLine progress;
    progress.show(fmt::format("{} on {} {}", mode == TrajectoryMode::time ? "timing" : "counting",
                              fmt::join(units, ", "), units_name(request.kind)));
    const auto silence = std::chrono::milliseconds(std::llround(1e3 * request.limit_s));
    const std::vector<std::string> line = command_line(request, mode, units);
    if (request.kind != "host") return roofline::run_program(line, silence);
    std::vector<int> processors = cores_first(roofline::allowed_cpus());
    processors.resize(std::min(processors.size(), static_cast<std::size_t>(units.front())));
    const OnProcessors narrow(processors);  // the child checks that it was pinned
    return roofline::run_program(line, silence);
  };
}

}  // namespace gpp
