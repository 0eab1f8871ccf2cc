// roofline lines: where the time of an unmodified CUDA program goes, source line by source line.
#include "roofline/tool/lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "roofline/base/device_turn.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/outside.h"
#include "roofline/base/passing_folder.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/inject/program.h"
#include "roofline/machine_code/sass.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/starting.h"
#include "roofline/view/lines.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using inject::Tally;

// The most that a record holds: roofline/record/lines.cpp refuses more.
constexpr std::size_t most_files = 100, most_source_lines = 20'000, most_told = 100;
constexpr std::size_t longest_source_line = 1000;
constexpr std::uint64_t most_stalls = 1'000'000'000'000;
constexpr std::uintmax_t most_source_bytes = std::uintmax_t{4} << 20;
constexpr std::size_t most_bytes_of_sources = std::size_t{16} << 20;  // of all files together

struct LinesRequest {
  std::vector<std::string> arguments;
  inject::Selection selection;
  int period = 16;
  bool samples_alone = false;
  double limit_s = 600;
  double longest_wait = longest_wait_for_turn;
  std::string folder;
  bool replace = false;
  LinesShown shown;
};

/// The sampled run shows the program's output, the one that counts does not.
Tally watch(const LinesRequest& request, const std::string& library, const PassingFolder& folder,
            LineMode mode, const Tally* sampled) {
  inject::Run run{request.arguments, library, {}};
  run.task.selection = request.selection;
  run.task.lines = mode;
  run.task.period = request.period;
  run.task.folder = folder.path().string();
  run.output_as_errors = request.shown.json;
  run.shown = sampled == nullptr;
  if (sampled != nullptr) run.longest = std::chrono::duration<double>(request.limit_s);
  if (sampled != nullptr && sampled->interrupted != 0) {
    run.enough = std::numeric_limits<std::int64_t>::max();
    run.enough_launches = sampled->launches;
  }
  return inject::run_watched(run, [](const Tally&) {});
}

void lose(std::string text, LinesRecord& record) {
  if (record.lost.size() < most_told && std::ranges::find(record.lost, text) == record.lost.end())
    record.lost.push_back(std::move(text));
}

/// Sums of forged numbers stay within what a record may hold.
void clamp(Events& events, std::uint64_t most) {
  for (auto& [name, number] : events) number = std::min(number, most);
}

void add_run(const Tally& run, const char* what, LineSums& sums, LinesRecord& record) {
  for (const LineEvidence& line : run.lines.lines.lines()) sums.add(line);
  if (!run.refused.empty()) lose(fmt::format("{}: {}", what, run.refused), record);
  for (const auto* list : {&run.lines.lost, &run.notes})
    for (const std::string& text : *list) lose(text, record);
}

/// The text of a source, where the line table named what is a source at all: what it names comes
/// from the program, and the record may be shown to others.
std::vector<std::string> text_of_source(const fs::path& file) {
  static const std::set<std::string> endings = {
      ".cu",  ".cuh", ".h",   ".hh", ".hpp", ".hxx", ".c",  ".cc", ".cpp", ".cxx",
      ".inl", ".inc", ".cuf", ".py", ".f90", ".F90", ".jl", ".rs", ".CUF"};
  if (!endings.contains(file.extension().string())) return {};
  std::string text;
  try {
    text = text_of_outside_file(file, most_source_bytes);
  } catch (const InputError&) {
    return {};  // the line stands for itself
  }
  std::vector<std::string> lines;
  std::string_view rest = text;
  while (!rest.empty() && lines.size() < most_source_lines) {
    const std::size_t end = rest.find('\n');
    lines.push_back(shortened(rest.substr(0, end), longest_source_line));
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
  }
  return lines;
}

/// nvdisasm's text of functions without lines, by the names that stand for them.
std::map<std::string, std::vector<std::string>> texts_of_code(const inject::LinesTally& tally,
                                                              const fs::path& folder,
                                                              LinesRecord& record) {
  std::map<std::string, Sass> cubins;
  std::map<std::string, std::vector<std::string>> texts;
  std::set<std::string> problems;
  for (const auto& [name, code] : tally.code) {
    if (code.cubin.empty() || code.cubin.find("..") != std::string::npos) continue;
    const auto [known, fresh] = cubins.try_emplace(code.cubin);
    std::string problem;
    if (fresh) known->second = sass_in(folder / code.cubin, problem);
    if (!problem.empty() && problems.insert(problem).second) lose(problem, record);
    if (const auto found = known->second.find(code.symbol); found != known->second.end())
      texts.emplace(name, found->second);
  }
  return texts;
}

/// The hottest files first, as far as there is room.
void add_sources(const std::map<std::string, std::vector<std::string>>& code, LinesRecord& record) {
  std::size_t bytes = 0;
  for (const std::string& file : files_of(record)) {
    if (file.empty() || record.sources.size() >= most_files) continue;
    const auto known = code.find(file);
    std::vector<std::string> lines = known != code.end() ? known->second : text_of_source(file);
    for (const std::string& line : lines) bytes += line.size();
    if (bytes > most_bytes_of_sources) return lose("the text of some sources: too long", record);
    if (!lines.empty()) record.sources.emplace(file, std::move(lines));
  }
}

LinesRecord record_of(const Tally& sampled, const std::optional<Tally>& counted,
                      const PassingFolder& folder, double limit_s) {
  LinesRecord record;
  LineSums sums;
  add_run(sampled, "samples", sums, record);
  record.period = sampled.lines.period;
  record.dropped = static_cast<std::uint64_t>(sampled.lines.dropped);
  record.elsewhere = static_cast<std::uint64_t>(sampled.lines.elsewhere);
  std::map<std::string, std::vector<std::string>> code =
      texts_of_code(sampled.lines, folder.path(), record);
  if (counted) {
    add_run(*counted, "counts of instructions", sums, record);
    record.counted.assign(counted->lines.counted.begin(), counted->lines.counted.end());
    code.merge(texts_of_code(counted->lines, folder.path(), record));
    if (counted->seconds >= limit_s)
      lose(fmt::format("counts of instructions: the program was told to end after {:g} s "
                       "(--time-limit); what it did until then was counted",
                       limit_s),
           record);
  }
  record.lines = sums.lines();
  const auto events = [](const LineEvidence& line) {
    return std::pair(line.samples(), events_of(line.counts, "warp_instructions"));
  };
  if (record.lines.size() > most_lines) {
    std::ranges::stable_sort(
        record.lines, [&events](const auto& a, const auto& b) { return events(a) > events(b); });
    record.lines.resize(most_lines);
    lose(fmt::format("lines beyond the hottest {}", most_lines), record);
  }
  for (LineEvidence& line : record.lines) {
    clamp(line.stalls, most_stalls);
    clamp(line.counts, most_events);
  }
  record.sums = total_counts(record.lines);
  add_sources(code, record);
  return record;
}

void tell_trouble(const Tally& sampled, const Tally& counted) {
  if (!counted.refused.empty()) say("instructions cannot be counted: " + counted.refused);
  if (counted.interrupted != 0 || sampled.interrupted != 0 || counted.status == sampled.status)
    return;
  say(fmt::format("the program ended with {} while instructions were counted, and with {} before",
                  counted.status, sampled.status));
  if (!counted.last_words.empty()) say("its last words were:\n" + counted.last_words);
}

std::optional<Tally> count_lines(const LinesRequest& request, const std::string& library,
                                 const PassingFolder& folder, const Tally& sampled) {
  if (request.samples_alone || (sampled.interrupted != 0 && sampled.interrupted != SIGINT))
    return std::nullopt;
  say(
      fmt::format("sampled in {}; now instructions are counted, unseen: kernels take up to 200 "
                  "times as long. --samples-only leaves it out, Ctrl-C ends it",
                  describe_seconds(sampled.seconds)));
  Tally counted = watch(request, library, folder, LineMode::instructions, &sampled);
  tell_trouble(sampled, counted);
  return counted;
}

int lines(LinesRequest& request) {
  if (request.arguments.empty())
    throw InputError("no program is named; it follows --: roofline lines -- ./program");
  const inject::Chooser checked(request.selection);  // throws for what is no regular expression
  const fs::path program = request.arguments.front();
  const fs::path folder =
      request.folder.empty()
          ? free_folder("roofline-lines-" + program.filename().string(), request.replace)
          : request.folder;
  check_folder(folder, "lines.json", request.replace);
  const std::string gpu = check_machine("Sampling is tried");
  const std::string library = library_file();
  std::optional<DeviceTurn> turn;
  if (!gpu.empty()) turn.emplace(gpu, "roofline lines", request.longest_wait, say);
  const PassingFolder code("roofline-code");
  const auto between_runs = inject::stay_alive();
  const Tally sampled = watch(request, library, code, LineMode::samples, nullptr);
  const int failure = sampled.status != 0 ? sampled.status : 1;
  if (const std::string why = nothing_launched(sampled); !why.empty()) {
    say(why);
    return failure;
  }
  if (!sampled.refused.empty()) say("the program cannot be sampled: " + sampled.refused);
  const std::optional<Tally> counted = count_lines(request, library, code, sampled);
  KeptLines kept{folder, {}};
  kept.lines.program = visible(fmt::format("{}", fmt::join(request.arguments, " ")));
  kept.lines.device = sampled.gpus.empty() ? "" : sampled.gpus.begin()->second.name;
  kept.lines.created = utc_now();
  kept.lines.lines = record_of(sampled, counted, code, request.limit_s);
  const LinesRecord& record = kept.lines.lines;
  print_lines(kept.lines, request.shown);
  std::fflush(stdout);
  if (record.lines.empty()) {
    say("nothing is known of any line, so nothing was recorded");
    return failure;
  }
  fs::create_directories(folder);
  write_whole(folder / "lines.json", facts_text(kept.lines, true));
  fmt::print(request.shown.json ? stderr : stdout, "Recorded in {}\nReport: {}\n",
             visible(folder.string()), visible(write_lines_page(kept).string()));
  if (sampled.status != 0) return sampled.status;
  return record.has_samples() && (record.has_counts() || request.samples_alone) ? 0 : failure;
}

void add_lines_options(CLI::App& command, LinesRequest& request) {
  command.add_option("--kernel", request.selection.kernel,
                     "Only kernels whose name contains this regular expression");
  command
      .add_option("--period", request.period,
                  "A multiprocessor is sampled every 2^N cycles; below 14 the hardware's buffer "
                  "may run full")
      ->check(CLI::Range(5, 31))
      ->capture_default_str();
  command.add_flag("--samples-only", request.samples_alone,
                   "No second run, which counts instructions and takes far longer");
  command
      .add_option("--time-limit", request.limit_s,
                  "Seconds after which the run that counts is told to end; what it did is kept")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  command.add_option("-o,--output", request.folder,
                     "Folder to keep the record in; otherwise roofline-lines-PROGRAM");
  command
      .add_option("--wait", request.longest_wait,
                  "Seconds to wait while another program measures on the GPU")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  command.add_flag("--replace", request.replace, "Replace a record that is there");
  command.add_option("--top", request.shown.top, "Print the hottest so many lines")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command.add_flag("--all", request.shown.all, "Print whole files, with the heat of each line");
  command.add_flag("--json", request.shown.json,
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
      "else; without, machine code is shown. It runs twice: sampled, with its output and exit\n"
      "status as always; then, unseen, with its instructions counted.\n\n"
      "Examples:\n"
      "  roofline lines -- ./program input\n"
      "  roofline lines --kernel gemm --samples-only -- python3 train.py");
  return for_a_program(*command, request->arguments, std::move(words),
                       [request] { return lines(*request); });
}

}  // namespace roofline
