#include "gpp/scale/sweep.h"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "gpp/study/check.h"
#include "gpp/study/record.h"
#include "roofline/base/error.h"
#include "roofline/base/process.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"

namespace gpp::scale {
namespace {

constexpr const char* place_of_ranks = "{ranks}";

/// Open MPI refuses to start programs of root, whom containers know alone.
void allow_root() {
  if (geteuid() != 0) return;
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
}

std::vector<std::string> command_line(const SweepRequest& request, int ranks, int states) {
  std::vector<std::string> line = launcher_words(request.launcher, ranks);
  line.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  line.emplace_back("scale");
  line.insert(line.end(), request.arguments.begin(), request.arguments.end());
  line.insert(line.end(), {"--states", std::to_string(states), sweep_option});
  return line;
}

/// The end of the output of a launcher and its ranks, made visible.
std::string last_words(const std::string& text) {
  constexpr std::size_t most = 2000;
  if (text.size() <= most) return roofline::visible_lines(text);
  return roofline::visible_lines(fmt::format("...{}", text.substr(text.size() - most)));
}

StudyRecord run_one(const SweepRequest& request, int ranks, int states) {
  const roofline::Finished finished = roofline::run_program(command_line(request, ranks, states));
  const std::string name = fmt::format("the run of {} ranks", ranks);
  // A failed check leaves a record, too: it is shown, and ends the program with its status.
  if (finished.output.empty() || finished.output.front() != '{')
    throw roofline::InputError(fmt::format("{} gave no record (exit status {}). It said:\n{}", name,
                                           finished.status,
                                           last_words(finished.errors + finished.output)));
  return parse_record(finished.output, name);
}

ScalingPoint point_of(const StudyRecord& run) {
  if (!run.scaling || run.scaling->strong.size() != 1 || any_failed(run))
    throw roofline::InputError(
        fmt::format("the run of {} ranks failed: {}", run.scaling ? run.scaling->ranks : 0,
                    run.results.empty() ? "it has no result" : run.results.front().reason));
  return run.scaling->strong.front();
}

/// Asx or ach of a run's first state, as the sums that hold nothing else.
Sums first_state(const StudyRecord& run, const char* sum) {
  Json answer = Json::object();
  answer[sum] = run.scaling->sums[sum][0];
  return sums_of(answer);
}

}  // namespace

std::vector<std::string> launcher_words(const std::string& launcher, int ranks) {
  std::vector<std::string> words;
  std::istringstream stream(launcher);
  bool told = false;
  for (std::string word; stream >> word;) {
    const std::size_t at = word.find(place_of_ranks);
    told = told || at != std::string::npos;
    if (at != std::string::npos)
      word.replace(at, std::string(place_of_ranks).size(), std::to_string(ranks));
    words.push_back(word);
  }
  if (!told)
    throw roofline::InputError(fmt::format(
        "--launcher '{}': it must hold {{ranks}} where the number of ranks belongs, as in '{}'",
        roofline::visible(launcher), default_launcher));
  return words;
}

void compare_sums(const std::vector<StudyRecord>& runs, Result& result) {
  for (const StudyRecord& run : runs)
    for (const char* sum : {"asx", "ach"}) {
      const double error = difference(first_state(run, sum), first_state(runs.front(), sum));
      if (error <= result.check.tolerance) continue;
      result.status = Status::failed;
      result.check.passed = false;
      result.reason = fmt::format("{} of {} ranks differs from that of {} by {:.1e} of its size",
                                  sum, run.scaling->ranks, runs.front().scaling->ranks, error);
    }
}

StudyRecord run_sweep(const SweepRequest& request) {
  allow_root();
  roofline::ProgressLine line;
  std::vector<StudyRecord> runs;
  ScalingRecord points;
  for (const int ranks : request.strong) {
    line.show(fmt::format("strong scaling: {} ranks", ranks));
    runs.push_back(run_one(request, ranks, request.states));
    points.strong.push_back(point_of(runs.back()));
  }
  for (const int ranks : request.weak) {
    line.show(fmt::format("weak scaling: {} ranks", ranks));
    runs.push_back(run_one(request, ranks, request.states * ranks));
    points.weak.push_back(point_of(runs.back()));
  }
  StudyRecord study = request.strong.empty() ? runs.back() : runs[request.strong.size() - 1];
  study.scaling->strong = points.strong;
  study.scaling->weak = points.weak;
  compare_sums(runs, study.results.front());
  return study;
}

}  // namespace gpp::scale
