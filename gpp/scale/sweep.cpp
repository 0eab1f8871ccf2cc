#include "gpp/scale/sweep.h"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "gpp/study/check.h"
#include "gpp/study/record.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/process.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"

namespace gpp::scale {
namespace {

constexpr const char* place_of_ranks = "{ranks}";

std::vector<std::string> command_line(const SweepRequest& request, int ranks, int states) {
  std::vector<std::string> line = launcher_words(request.launcher, ranks);
  line.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  line.emplace_back("scale");
  line.insert(line.end(), request.arguments.begin(), request.arguments.end());
  line.insert(line.end(), {"--states", std::to_string(states), sweep_option});
  return line;
}

StudyRecord run_one(const SweepRequest& request, int ranks, int states) {
  const roofline::Finished finished = roofline::run_program(command_line(request, ranks, states));
  const std::string name = fmt::format("the run of {} ranks", ranks);
  // A failed check leaves a record, too: it is shown, and ends the program with its status.
  if (finished.output.empty() || finished.output.front() != '{')
    throw roofline::InputError(fmt::format("{} gave no record (exit status {}). It said:\n{}", name,
                                           finished.status,
                                           roofline::visible_lines(finished.errors)));
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

void require_sweep(const SweepRequest& request) {
  for (const std::vector<int>* ranks : {&request.strong, &request.weak})
    for (std::size_t i = 0; i < ranks->size(); ++i)
      if ((*ranks)[i] < 1 || (*ranks)[i] > 100'000 || (i > 0 && (*ranks)[i] <= (*ranks)[i - 1]))
        throw roofline::InputError(
            "--strong, --weak: numbers of ranks from 1 on, each larger than the one before");
  launcher_words(request.launcher, 1);
}

StudyRecord run_sweep(const SweepRequest& request) {
  const int most = std::max(request.strong.empty() ? 1 : request.strong.back(),
                            request.weak.empty() ? 1 : request.weak.back());
  const int cores = std::max(1, roofline::available_cores() / most);
  setenv("OMP_NUM_THREADS", std::to_string(cores).c_str(), 0);
  // Open MPI refuses to start programs of root, whom containers know alone.
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
    if (geteuid() == 0) setenv(name, "1", 0);
  roofline::ProgressLine line;
  std::vector<StudyRecord> runs;
  ScalingRecord points;
  const auto run = [&](int ranks, int states, std::vector<ScalingPoint>& to, const char* kind) {
    line.show(fmt::format("{} scaling: {} ranks", kind, ranks));
    runs.push_back(run_one(request, ranks, states));
    to.push_back(point_of(runs.back()));
  };
  for (const int ranks : request.strong) run(ranks, request.states, points.strong, "strong");
  for (const int ranks : request.weak) run(ranks, request.states * ranks, points.weak, "weak");
  StudyRecord study = request.strong.empty() ? runs.back() : runs[request.strong.size() - 1];
  study.scaling->strong = points.strong;
  study.scaling->weak = points.weak;
  compare_sums(runs, study.results.front());
  return study;
}

}  // namespace gpp::scale
