#include "gpp/study/ladders.h"

#include "gpp/study/published.h"

namespace gpp {
namespace {

/// The ladders without their steps.
std::vector<PublishedLadder> heads() {
  return {
      {"sc19", "SC19 tutorial: a baseline and eight steps in OpenACC", "Yang 2019", "V100", {}},
      {"arxiv", "arXiv:2008.11326: a baseline and eight steps in OpenACC", "Yang 2020", "V100", {}},
      {"sc20",
       "SC20: BerkeleyGW on Summit, eight kernels",
       "Del Ben et al. 2020, Yang 2021",
       "V100",
       {}},
      {"tutorial",
       "Tutorial repository: a baseline and four patches in OpenACC",
       "NERSC 2020",
       "V100",
       {}},
      {"between", "Our own v8 to v11, with each idea on its own", "", "", {}},
      {"tried", "Ideas of our own that became no step", "", "", {}}};
}

std::optional<double> number(const std::string& cell) {
  return cell.empty() ? std::nullopt : std::optional(std::stod(cell));
}

std::vector<PublishedLadder> read_ladders() {
  std::vector<PublishedLadder> ladders = heads();
  for (auto& row : published_rows("ladders.csv"))
    for (PublishedLadder& ladder : ladders)
      if (ladder.name == row["ladder"])
        ladder.steps.push_back({row["label"], row["variant"], row["change"], row["over"],
                                std::nullopt, number(row["gain"]), number(row["speedup"]),
                                number(row["percent_of_peak"]), row["told"], row["ours"]});
  std::vector<LadderStep>& sc19 = ladders.front().steps;
  for (LadderStep& step : sc19)
    if (const PublishedStep* timed = published_v100().find(step.variant))
      step.seconds = timed->seconds;
  for (LadderStep& step : sc19) {
    step.speedup = *sc19.front().seconds / *step.seconds;
    if (const LadderStep* before = ladders.front().changed_by(step))
      step.gain = *before->seconds / *step.seconds;
  }
  return ladders;
}

}  // namespace

const std::vector<PublishedLadder>& published_ladders() {
  static const std::vector<PublishedLadder> ladders = read_ladders();
  return ladders;
}

}  // namespace gpp
