// roofline record: counts an unmodified CUDA program, kernel by kernel.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "roofline/base/files.h"
#include "roofline/base/text.h"
#include "roofline/ceilings/measure.h"
#include "roofline/energy.h"
#include "roofline/import/import.h"
#include "roofline/inject/record.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using inject::Purpose;
using inject::Tally;

constexpr int failed = 1;

struct RecordRequest {
  std::vector<std::string> arguments;
  std::string counters = "full";
  std::string launches;
  std::string from_start = "on";
  inject::Selection selection;
  std::string work;  ///< name of a file of formulas
  std::string roofs;
  std::string folder;
  double longest_wait = longest_wait_for_turn;
  bool by_rank = false;  ///< rank processes are separate; this is none
  bool replace = false;
  Showing showing;

  bool full() const { return counters == "full"; }
};

Ceilings roofs_for(const RecordRequest& request) {
  if (!request.roofs.empty()) return roofs_called(request.roofs, "gpu");
  ProgressLine line;
  return ceilings_of("gpu", false, [&line](std::string_view what, double share) {
    line.show(fmt::format("measuring this device's roofs, once: {}", what), share);
  });
}

/// A name for a new folder: the given one, with a number if it exists.
std::string free_folder(const std::string& name, bool replace) {
  std::string folder = name;
  std::error_code error;
  if (replace) return folder;
  for (int number = 2; fs::exists(fs::symlink_status(folder, error)); ++number)
    folder = fmt::format("{}-{}", name, number);
  return folder;
}

/// Throws InputError if the folder cannot be created or written, or already has a profile.
void check_folder(const std::string& folder, bool replace) {
  refuse_to_overwrite(folder, replace);
  std::error_code error;
  fs::path there = fs::absolute(folder, error);
  while (!fs::exists(there, error) && there != there.parent_path()) there = there.parent_path();
  if (!fs::is_directory(there, error) || access(there.c_str(), W_OK | X_OK) != 0)
    throw InputError(
        fmt::format("{}: nothing can be written to {}; name another folder with -o. The program "
                    "was not started",
                    visible(folder), visible(there.string())));
}

/// The requested folder or a new one. Ranks share it and have a subfolder each.
std::string folder_for(const RecordRequest& request, const std::optional<inject::Rank>& rank) {
  std::string folder = request.folder;
  if (folder.empty()) {
    folder = "roofline-" + fs::path(request.arguments.front()).filename().string();
    if (!rank) folder = free_folder(folder, request.replace);
  }
  return rank ? inject::folder_of_rank(folder, rank->number) : folder;
}

/// The reason why there is nothing to count; else empty.
std::string nothing_in(const Tally& timed, const RecordRequest& request) {
  if (timed.watched > 0) return {};
  if (const std::string why = nothing_launched(timed); !why.empty()) return why;
  if (!timed.refused.empty()) return "the kernels could not be watched: " + timed.refused;
  if (!request.selection.everything())
    return fmt::format(
        "none of the {} launches was chosen by --kernel, --nvtx, --launch or --profile-from-start",
        timed.launches);
  return fmt::format("CUPTI told no time of any of the {} launches", timed.launches);
}

/// How ranks that share a GPU are counted; empty where none do.
std::string turns_told(const Tally& timed) {
  const std::size_t turns = inject::turns_of_ranks(timed).size();
  if (turns == 1) return {};
  return fmt::format(
      "{} ranks share a GPU, whose counters have one owner at a time: they are counted one after "
      "another, each in a run of its own, while the others use the GPU",
      turns);
}

void tell_cost(const Tally& timed, const RecordRequest& request) {
  const auto turns = static_cast<double>(inject::turns_of_ranks(timed).size());
  double seconds = (turns - 1) * timed.seconds + inject::expected_seconds(timed, Purpose::hardware);
  if (request.full()) seconds += inject::expected_seconds(timed, Purpose::instructions);
  say(fmt::format("timed{}: kernels ran {} times, in {} launches, in {}",
                  timed.interrupted != 0 ? " until it was interrupted" : "", timed.watched,
                  timed.launches, describe_seconds(timed.seconds)));
  say(fmt::format("now they are counted (--counters {}): about {}; Ctrl-C ends that",
                  request.counters, describe_seconds(seconds)));
  if (const std::string told = turns_told(timed); !told.empty()) say(told);
}

inject::Run run_for(const RecordRequest& request, const std::string& library, Purpose purpose) {
  inject::Run run{request.arguments, library, task_of(purpose, request.selection)};
  run.by_rank = request.by_rank;
  run.output_as_errors = request.showing.for_scripts();
  run.shown = purpose == Purpose::time;
  return run;
}

Tally count_it(const RecordRequest& request, const std::string& library, Purpose purpose,
               const Tally& timed) {
  inject::Run run = run_for(request, library, purpose);
  ProgressLine progress;
  const auto show_progress = [&progress, &timed](const Tally& tally) {
    const double share = static_cast<double>(tally.watched) / static_cast<double>(timed.watched);
    progress.show(fmt::format("{} of {} launches counted", tally.watched, timed.watched),
                  std::min(1.0, share));
  };
  // An endless program is counted about as far as it was timed.
  if (timed.interrupted != 0)
    run.longest = std::chrono::duration<double>(1 + 2 * inject::expected_seconds(timed, purpose));
  Tally counted;
  for (const std::optional<int> rank : inject::turns_of_ranks(timed)) {
    run.task.rank = rank;
    counted = inject::run_watched(run, show_progress, std::move(counted));
    if (counted.interrupted != 0) break;
  }
  if (const std::string turns = turns_told(timed); !turns.empty()) inject::add_note(turns, counted);
  progress.clear();
  say(fmt::format("counted {}: {} launches in {}",
                  purpose == Purpose::hardware ? "bytes" : "operations", counted.watched,
                  describe_seconds(counted.seconds)));
  // The program's own output is hidden in these runs.
  if (!counted.refused.empty()) say("counting ended early: " + counted.refused);
  say_other_end(timed, counted);
  if (purpose == Purpose::instructions && counted.status != timed.status)
    say("CUPTI's instrumentation may be the reason; --counters fast counts without it");
  return counted;
}

void read_selection(RecordRequest& request) {
  inject::Selection& selection = request.selection;
  if (!request.launches.empty()) inject::read_launches(request.launches, selection);
  selection.from_start = request.from_start == "on";
  const inject::Chooser checked(selection);  // throws for an invalid regular expression
}

/// Counts the launches of the timed run, and stops after an interruption. Instructions are counted
/// even if hardware counters are refused, because they may need another permission.
void count(const RecordRequest& request, const std::string& library, inject::Runs& runs) {
  if (runs.timed.interrupted != 0 && runs.timed.interrupted != SIGINT) return;
  tell_cost(runs.timed, request);
  runs.hardware = count_it(request, library, Purpose::hardware, runs.timed);
  if (!request.full() || runs.hardware->interrupted != 0) return;
  if (runs.hardware->watched == 0 && runs.hardware->refused.empty()) return;
  runs.instructions = count_it(request, library, Purpose::instructions, runs.timed);
}

/// Shows profiles before storing them, so that a full disk does not lose hours of counts.
void show(const RecordRequest& request, const Kept& made, const std::string& folder) {
  Showing showing = request.showing;
  const Profile& profile = made.front().profile;
  const bool ranks = made.front().rank.has_value();
  const std::string none = ranks ? "" : none_by(profile, showing.by);
  if (!none.empty()) showing.by = By::kernel;
  if (showing.json && !ranks)
    fmt::print("{}\n", profile_json(profile).dump(1));  // what is kept, without charts
  else
    print_profiles(made, showing);
  std::fflush(stdout);
  fmt::print(showing.for_scripts() ? stderr : stdout, "{}",
             write_profiles(made, folder, request.replace));
  if (!none.empty()) say(none);
  if (!showing.for_scripts()) fmt::print("{}", next_step(made, folder));
}

/// The profile of the program, or those of its ranks.
Kept profiles_of(const inject::Runs& runs, const std::function<Profile(int rank)>& make,
                 const EnergyUsed& used, const std::string& folder) {
  Kept made;
  for (const int number : ranks_of(runs.timed))
    made.push_back({inject::folder_of_rank(folder, number), make(number), number});
  if (!made.empty()) return made;
  made.push_back({folder, make(inject::no_rank)});
  constexpr int fewest_updates = 5;  // with fewer, the ends of the watch are used
  if (used.updates >= fewest_updates) made.front().profile.energy = used;
  return made;
}

/// Whether anything was counted or stated.
bool any_known(const inject::Runs& runs, const Kept& made) {
  const auto counted = [](const std::optional<Tally>& run) { return run && run->watched > 0; };
  return counted(runs.hardware) || counted(runs.instructions) ||
         std::ranges::any_of(made, [](const KeptProfile& one) {
           return std::ranges::any_of(one.profile.kernels, [](const KernelProfile& kernel) {
             return kernel.stated.has_value();
           });
         });
}

int record(RecordRequest& request) {
  read_selection(request);
  const auto rank = inject::rank_told_by([](const char* name) { return std::getenv(name); });
  request.by_rank = !rank;
  const std::string folder = folder_for(request, rank);
  check_folder(folder, request.replace);
  std::optional<WorkFile> work;  // read first, so that a mistake in it is found before any run
  if (!request.work.empty()) work = work_file(request.work);
  const std::string gpu =
      check_machine("Times, launches and roofs need no right and are kept; counting is tried");
  const std::string library = library_file();
  std::optional<DeviceTurn> turn;
  // A host's first rank takes the turn for all, because they run together.
  if (!gpu.empty() && (!rank || rank->first_of_host)) turn.emplace(gpu, request.longest_wait, say);
  const Ceilings roofs = roofs_for(request);

  const auto between_runs = inject::stay_alive();  // an interruption at any time leaves a record
  inject::Runs runs;
  EnergyWatch energy(energy_of_gpu(gpu), 0.05);  // each reading takes the driver milliseconds
  runs.timed = inject::run_watched(run_for(request, library, Purpose::time), [](const Tally&) {});
  const EnergyUsed used = energy.stop();
  if (const std::string why = nothing_in(runs.timed, request); !why.empty()) {
    say(why);
    return runs.timed.status != 0 ? runs.timed.status : failed;
  }
  count(request, library, runs);
  const auto made = [&](int number) {
    Profile profile =
        profile_of(visible(fmt::format("{}", fmt::join(request.arguments, " "))), runs, number);
    profile.ceilings = roofs;
    derive(profile);
    if (work) state_work(*work, request.work, profile);
    return profile;
  };
  const Kept all = profiles_of(runs, made, used, folder);
  show(request, all, folder);
  return runs.timed.status != 0 ? runs.timed.status : any_known(runs, all) ? 0 : failed;
}

void add_options(CLI::App& command, RecordRequest& request) {
  command
      .add_option("--counters", request.counters,
                  "full: all, kernels take up to some hundred times as long; fast: bytes and "
                  "tensor operations alone, which the hardware counts")
      ->check(CLI::IsMember({"fast", "full"}))
      ->capture_default_str();
  add_watching_options(command, request.selection.kernel, request.longest_wait);
  command.add_option("--nvtx", request.selection.nvtx,
                     "Only while the NVTX range of this name is open");
  command
      .add_option("--profile-from-start", request.from_start,
                  "off: only between cudaProfilerStart and cudaProfilerStop")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  command.add_option("--launch", request.launches,
                     "Only these launches of each process, among those chosen otherwise: 10:20, "
                     "or 6: for all after the first five");
  add_work_option(command, request.work);
  add_roofs_option(command, request.roofs);
  command.add_option("-o,--output", request.folder,
                     "Folder to keep the record in; otherwise roofline-PROGRAM");
  command.add_flag("--replace", request.replace, "Replace a record that is there");
  add_showing_options(command, request.showing);
}

}  // namespace

ToolCommand add_record(CLI::App& program, std::vector<std::string> words) {
  CLI::App* command = program.add_subcommand(
      "record",
      "First: count the kernels of any CUDA program, and place them under the device's roofs");
  const auto request = std::make_shared<RecordRequest>();
  add_options(*command, *request);
  command->footer(
      "The program and its arguments follow --. It runs two or three times: first for the times,\n"
      "with its output and exit status as always; then, unseen, for bytes and tensor operations;\n"
      "with --counters full once more for the operations of other instructions. Nothing of it is\n"
      "changed. With --json or --csv its output goes to standard error.\n\n"
      "Examples:\n"
      "  roofline record -- ./program input\n"
      "  roofline record --kernel gemm --launch 6: -o results/gemm -- python3 train.py\n"
      "  roofline record --profile-from-start off --counters fast -- ./program\n"
      "  roofline record --work formulas.txt -- ./program\n"
      "  roofline record -o results/ranks -- mpirun -n 4 ./program");
  return for_a_program(*command, request->arguments, std::move(words),
                       [request] { return record(*request); });
}

}  // namespace roofline
