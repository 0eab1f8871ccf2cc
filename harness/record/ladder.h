// A study of a published ladder: what was published of each step beside what was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

/// Numbers of one step; empty where there is none.
struct StepNumbers {
  std::optional<double> seconds;
  std::optional<double> gain;     ///< over the step that it changes
  std::optional<double> speedup;  ///< over the ladder's first step
  std::optional<double> percent_of_peak;
};

/// Whether what was published of a step is seen here, too.
enum class Holds { unknown, yes, more, less, no };

/// "yes", "more", "less", "no"; "-" where nothing can be said.
std::string name_of(Holds holds);

/// Compares a published gain or speedup with a measured one, by logarithms, because gains multiply:
/// yes where they differ by no more than a third of the published one, or 3%; else more or less
/// where both point the same way, and no where they do not.
Holds compare_gains(double published, double measured);

/// One step of a ladder in one model.
struct LadderRow {
  const LadderStep* step = nullptr;
  const Result* result = nullptr;  ///< of the study; nullptr where it holds none
  StepNumbers published;
  StepNumbers measured;
  Holds holds = Holds::unknown;          ///< in time, as published
  std::optional<double> gain_in_cycles;  ///< where it is another than that in time (record.h)
  std::string reason;  ///< why a measured number is missing; empty where all are there
};

/// A ladder as one model went up it.
struct LadderRun {
  std::string model;
  std::string kind;             ///< of device; empty where nothing ran
  std::vector<LadderRow> rows;  ///< one for each step
};

/// The ladder that was studied; nullptr where it was none.
const PublishedLadder* ladder_of(const StudyRecord& study);

/// The name of a step in charts: its id, or for a step that a ladder brought with it the part
/// before its idea: "sc20_5" of sc20_5_band_groups.
std::string name_in_charts(const StudyRecord& study, const std::string& variant);

/// The studied ladder in every model of the study. It points into the study.
std::vector<LadderRun> ladder_runs(const StudyRecord& study);

/// Runs any ladder against any study. Steps that the study does not hold have no numbers.
LadderRun ladder_run(const StudyRecord& study, const PublishedLadder& ladder,
                     const std::string& model);

/// The ladder of a record as JSON; null where none was studied.
Json ladder_json(const StudyRecord& study);

}  // namespace gpp
