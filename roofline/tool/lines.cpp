// roofline lines: shows the time of an unmodified CUDA program by source line.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "roofline/base/files.h"
#include "roofline/base/text.h"
#include "roofline/inject/record.h"
#include "roofline/tool/commands.h"
#include "roofline/view/lines.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using inject::Tally;

constexpr std::size_t most_files = 30, most_source_lines = 20'000, most_told = 100;
constexpr std::size_t longest_source_line = 1000;
constexpr std::uintmax_t most_source_bytes = std::uintmax_t{1} << 20;

struct LinesRequest {
  std::vector<std::string> arguments;
  inject::Selection selection;
  int period = 16;
  bool samples_alone = false;
  double longest_wait = longest_wait_for_turn;
  std::size_t top = 20;  ///< number of lines to print
  bool json = false;
};

/// The sampled run shows the program's output, the counted run does not.
Tally watch(const LinesRequest& request, const std::string& library, LineMode mode,
            const Tally* sampled) {
  inject::Run run{request.arguments, library, {}};
  run.task.selection = request.selection;
  run.task.lines = mode;
  run.task.period = request.period;
  run.output_as_errors = request.json;
  run.shown = sampled == nullptr;
  return inject::run_watched(run, [](const Tally&) {});
}

void add_run(const Tally& run, const char* what, LineSums& sums, LinesRecord& record) {
  for (const LineEvidence& line : run.lines.lines.lines()) sums.add(line);
  std::set<std::string> lost(run.lines.lost);
  lost.insert(run.notes.begin(), run.notes.end());
  if (!run.refused.empty()) lost.insert(fmt::format("{}: {}", what, run.refused));
  for (const std::string& text : lost)
    if (record.lost.size() < most_told && std::ranges::count(record.lost, text) == 0)
      record.lost.push_back(text);
}

/// The text of a source file; empty if it cannot be read. Only source files are read, because the
/// program chooses the names in its line table, and records may be shown to others.
std::vector<std::string> text_of_source(const fs::path& file) {
  constexpr std::string_view endings =
      " .cu .cuh .h .hh .hpp .hxx .c .cc .cpp .cxx .inl .inc .cuf .CUF .py .f90 .F90 .jl .rs ";
  std::vector<std::string> lines;
  if (endings.find(" " + file.extension().string() + " ") == endings.npos) return lines;
  try {
    std::istringstream text(text_of_outside_file(file, most_source_bytes));
    for (std::string line; lines.size() < most_source_lines && std::getline(text, line);)
      lines.push_back(shortened(line, longest_source_line));
  } catch (const InputError&) {
    lines.clear();
  }
  return lines;
}

/// Adds the hottest files first, as far as there is room.
void add_sources(LinesRecord& record) {
  for (const std::string& file : files_of(record)) {
    if (record.sources.size() >= most_files) return;
    std::vector<std::string> lines = text_of_source(file);
    if (!lines.empty()) record.sources.emplace(file, std::move(lines));
  }
}

LinesRecord record_of(const Tally& sampled, const std::optional<Tally>& counted) {
  LinesRecord record;
  LineSums sums;
  add_run(sampled, "samples", sums, record);
  record.period = sampled.lines.period;
  record.dropped = sampled.lines.dropped;
  record.elsewhere = sampled.lines.elsewhere;
  if (counted) {
    add_run(*counted, "counts of instructions", sums, record);
    record.counted.assign(counted->lines.counted.begin(), counted->lines.counted.end());
  }
  record.lines = sums.lines();
  record.sums = total_counts(record.lines);
  add_sources(record);
  return record;
}

std::optional<Tally> count_lines(const LinesRequest& request, const std::string& library,
                                 const Tally& sampled) {
  if (request.samples_alone || (sampled.interrupted != 0 && sampled.interrupted != SIGINT))
    return std::nullopt;
  say(
      fmt::format("sampled in {}; now instructions are counted, unseen: kernels take up to 200 "
                  "times as long. --samples-only leaves it out, Ctrl-C ends it",
                  describe_seconds(sampled.seconds)));
  Tally counted = watch(request, library, LineMode::instructions, &sampled);
  if (!counted.refused.empty()) say("instructions cannot be counted: " + counted.refused);
  say_other_end(sampled, counted);
  return counted;
}

void print_lines(const LinesRequest& request, const std::string& device,
                 const LinesRecord& record) {
  const std::string program = visible(fmt::format("{}", fmt::join(request.arguments, " ")));
  if (request.json) {
    nlohmann::ordered_json json = {{"program", program}, {"device", visible(device)}};
    json.update(to_json(record));
    fmt::print("{}\n", json.dump(1));
    return;
  }
  const std::string title = fmt::format("{} on {}", program, visible(device));
  fmt::print("{}", hottest_lines(record, title, request.top, colours_wanted()));
}

int lines(const LinesRequest& request) {
  const inject::Chooser checked(request.selection);  // throws for an invalid regular expression
  const std::string gpu = check_machine("Sampling is tried");
  const std::string library = library_file();
  std::optional<DeviceTurn> turn;
  if (!gpu.empty()) turn.emplace(gpu, request.longest_wait, say);
  const auto between_runs = inject::stay_alive();
  const Tally sampled = watch(request, library, LineMode::samples, nullptr);
  const int failure = sampled.status != 0 ? sampled.status : 1;
  if (const std::string why = nothing_launched(sampled); !why.empty()) {
    say(why);
    return failure;
  }
  if (!sampled.refused.empty()) say("the program cannot be sampled: " + sampled.refused);
  const std::optional<Tally> counted = count_lines(request, library, sampled);
  const LinesRecord record = record_of(sampled, counted);
  print_lines(request, sampled.gpus.empty() ? "a device" : sampled.gpus.begin()->second.name,
              record);
  if (sampled.status != 0) return sampled.status;
  const bool whole = record.has_samples() && (record.has_counts() || request.samples_alone);
  return whole && !record.lines.empty() ? 0 : failure;
}

void add_lines_options(CLI::App& command, LinesRequest& request) {
  add_watching_options(command, request.selection.kernel, request.longest_wait);
  command.add_option("--period", request.period, "A multiprocessor is sampled every 2^N cycles")
      ->check(CLI::Range(5, 31))
      ->capture_default_str();
  command.add_flag("--samples-only", request.samples_alone,
                   "No second run, which counts instructions and takes far longer");
  command.add_option("--top", request.top, "Print the hottest so many lines")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command.add_flag("--json", request.json,
                   "Print JSON for scripts; the program's output goes to standard error");
}

}  // namespace

ToolCommand add_lines(CLI::App& program, std::vector<std::string> words) {
  CLI::App* command = program.add_subcommand(
      "lines", "When a kernel is slow: where its time goes, source line by source line");
  const auto request = std::make_shared<LinesRequest>();
  add_lines_options(*command, *request);
  command->footer(
      "The program and its arguments follow --. Build it with nvcc -lineinfo, which changes "
      "nothing\n"
      "else; without, functions alone are told. It runs twice: sampled, with its output and exit\n"
      "status as always; then, unseen, with its instructions counted.\n\n"
      "Examples:\n"
      "  roofline lines -- ./program input\n"
      "  roofline lines --kernel gemm --samples-only -- python3 train.py");
  return for_a_program(*command, request->arguments, std::move(words),
                       [request] { return lines(*request); });
}

}  // namespace roofline
