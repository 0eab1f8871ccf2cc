// A study of a published ladder: published and measured numbers of each step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

/// The numbers of one step; empty if unknown.
struct StepNumbers {
  std::optional<double> seconds;
  std::optional<double> gain;     ///< gain over the step that it changes
  std::optional<double> speedup;  ///< speedup over the ladder's first step
  std::optional<double> percent_of_peak;
};

/// Tells whether a published gain or speedup holds here, too. Compares by logarithms, because gains
/// multiply: "yes" if they differ by at most a third of the published one or 3%; otherwise "more"
/// or "less" if both have the same direction, and "no" if not.
std::string compare_gains(double published, double measured);

/// One step of a ladder in one model.
struct LadderRow {
  const LadderStep* step = nullptr;
  const Result* result = nullptr;  ///< result in the study, or nullptr
  StepNumbers published;
  StepNumbers measured;
  std::string holds;  ///< whether the published gain holds, by times; empty: unknown
  std::optional<double> gain_in_cycles;  ///< if it differs from the gain in time (record.h)
  std::string reason;                    ///< reason if a measured number is missing
};

/// The results of a ladder in one model.
struct LadderRun {
  std::string model;
  std::string kind;             ///< kind of device; empty if nothing ran
  std::vector<LadderRow> rows;  ///< one row per step
};

/// The studied ladder, or nullptr.
const PublishedLadder* ladder_of(const StudyRecord& study);

/// A step's name in charts: its id, or, for steps that exist only in a ladder, the part before the
/// idea: "sc20_5" for sc20_5_band_groups.
std::string name_in_charts(const StudyRecord& study, const std::string& variant);

/// The studied ladder in every model of the study. The result points into the study.
std::vector<LadderRun> ladder_runs(const StudyRecord& study);

/// What was published of a ladder.
LadderRun published_run(const PublishedLadder& ladder);

/// The ladder of a study of one as JSON.
Json ladder_json(const StudyRecord& study);

}  // namespace gpp
