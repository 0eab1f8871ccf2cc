// Studies of several teams, ranked.
//
// Only results that passed their check and were timed count, with errors within the default
// tolerance whatever a team allowed itself, and only studies of one and the same input: the one
// that most of them have. A team stands with its best variant. Records that contradict their
// machine, or hold no roofs by which their times could be judged, have no place (derive.h).
//
// By gain: how many times as fast a variant is as the one it was made from, both measured in the
// same study, so that the machine and the load of the day weigh on both. After these come variants
// whose parent that study did not measure, by speed, with the reason. By share of the roof: how
// well a variant uses its machine. In every ranking, times that others disturbed (timing.h) come
// last. Two teams share a place where the intervals of their gains overlap or differ by less than
// the least difference of comparison.h, where its rule cannot tell their times apart, or where
// their shares of the roof are the same as shown.
//
// Where a referee made any of the studies (gpp judge), those alone are ranked: with all layers of
// its sandbox, and with its signature where the key is at hand. A team's other submissions are its
// history.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/view/summary.h"

namespace gpp {

/// The speed of a variant over that of its parent.
struct Gain {
  double factor = 0;
  double low = 0;  ///< where the 95% intervals of both medians allow it to lie
  double high = 0;
  bool few = false;  ///< too few runs of either to know how noisy they are
};

/// A team's best variant in one of the rankings.
struct Place {
  int rank = 0;  ///< from 1; teams that cannot be told apart share it
  std::string team;
  std::string variant, step, model, kind, device;
  std::string parent;        ///< what it was made from, or the step before; empty: not known
  std::optional<Gain> gain;  ///< over the parent
  std::string no_gain;       ///< why there is none
  bool disturbed = false;    ///< by others, while it was timed
  double terms_per_s = 0;
  double seconds = 0;                     ///< median
  double spread = 0;                      ///< half the 95% interval of the median, as a share of it
  std::vector<double> samples;            ///< seconds
  std::optional<double> percent_of_roof;  ///< empty where it was not measured, or is in doubt
  std::string bound_by;                   ///< the nearest roof
  std::string held_back_by;               ///< that roof, or "latency" (roofline/verdict.h)
  bool analytic = false;         ///< operations and bytes computed, not counted by hardware
  std::string created;           ///< when it was measured, ISO 8601
  std::optional<double> points;  ///< where there is a rule for them
};

/// The points that a class gives for a right result.
struct PointsRule {
  struct Threshold {
    double gain = 1;  ///< over the parent
    double points = 0;
  };
  struct Deadline {
    std::string until;  ///< ISO 8601, UTC
    double share = 1;   ///< of the points of what comes until then
  };
  double right = 0;                   ///< points for passing every check
  std::vector<Threshold> thresholds;  ///< the highest that is reached adds its points
  std::vector<Deadline> deadlines;    ///< the first not yet over counts; after all: none
};

/// Reads a rule from a file of JSON. Throws InputError.
PointsRule read_points(const std::filesystem::path& file);
double points_of(const PointsRule& rule, const Place& place);

/// A team, or one of its variants, that has no place, and why.
struct LeftOut {
  std::string team;
  std::string variant;  ///< "omp mine"; empty where it is the whole study
  std::string reason;
};

struct Scoreboard {
  InputRecord input;           ///< of every study that is ranked
  std::vector<Place> history;  ///< of teams that were judged several times, in the order of time
  std::vector<Place> by_gain;
  std::vector<Place> by_speed;  ///< the absolute speed alone, for scripts
  std::vector<Place> by_roof;
  std::vector<LeftOut> without_roof;  ///< ranked by speed alone
  std::vector<LeftOut> failed;        ///< variants
  std::vector<LeftOut> left_out;      ///< studies
  std::vector<LeftOut> partial;  ///< studies that were interrupted or killed; ranked all the same
};

struct ScoreboardOptions {
  bool own = false;  ///< count no steps of the ladder, only variants that the teams made
  std::optional<Secret> key = {};         ///< of the judge, by which its signatures are checked
  std::optional<PointsRule> points = {};  ///< empty: nobody asked for points
};

/// Files for graders; those without a name are not written.
struct BoardFiles {
  std::filesystem::path csv;    ///< a line for each team
  std::filesystem::path junit;  ///< a test case for each team: right or not, and why
  std::filesystem::path page;   ///< HTML, which a browser reads again every few seconds
};
/// Throws InputError where one cannot be written.
void write_board(const Scoreboard& board, const BoardFiles& files);

/// Ranks the studies; their names are the teams.
Scoreboard scoreboard(const std::vector<NamedStudy>& studies, const ScoreboardOptions& options);

std::string text_of(const Scoreboard& board, bool colours);
nlohmann::ordered_json to_json(const Scoreboard& board);

/// `gpp report --scoreboard`: reads the studies, prints the ranking, returns the exit status. A
/// team is called after its folder, and after the folder above as well where two have one name; a
/// folder of a judge holds those of its teams. A record that cannot be read is listed with the
/// reason. Throws InputError where none can be.
int show_scoreboard(const std::vector<std::filesystem::path>& paths,
                    const ScoreboardOptions& options, const BoardFiles& files, bool json);

}  // namespace gpp
