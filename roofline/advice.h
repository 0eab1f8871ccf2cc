// Advice: the causes that limit a piece of work, and what to examine next. It refines the
// roofline's verdict: a wall of the instruction roofline may explain a latency, and launches may
// take time that no roof explains.
//
// It works for anything with counts and a time: a variant, one of its kernels, or a kernel of a
// foreign program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings.h"
#include "roofline/metrics.h"
#include "roofline/points.h"

namespace roofline {

// ---- Verdict: a roof if the work is near one, else latency

/// A roof counts as near from this percentage. `percent_of_roof` is the share of the run that the
/// nearest roof explains: below one half, most of the time went elsewhere, so the run did not wait
/// for that roof.
inline constexpr double near_share = 50;

struct Stall {
  std::string name;            ///< "long_scoreboard"
  double warps_per_issue = 0;  ///< waiting warps per issued instruction
};

/// The largest stall. Warps that issued, or were ready while another one issued, are not waiting.
/// Empty if stalls were not counted.
std::optional<Stall> top_stall(const Metrics& metrics);

/// Verdict::by if nothing else is known.
inline constexpr std::string_view no_roof_near = "no roof near";

struct Verdict {
  std::string by;        ///< "compute", "l2"; "latency"; "scalar code", "division"; "no roof near"
  std::string evidence;  ///< "long_scoreboard 4.69 per issue"; empty for a near roof
  std::string text() const;  ///< "latency (long_scoreboard 4.69 per issue)"
};

/// The nearest roof, if near_share of it was reached, or if it is "compute" and the precision's
/// pipe was busy for that share: its instructions are not all FLOPs. Else "latency", with the top
/// stall; on a host with analysed machine code "division", if divisions alone would take near_share
/// of the time, "scalar code", if near_share of the numbers are processed one by one, or "latency".
/// Else "no roof near", with the reached share of the nearest one.
Verdict verdict(const RooflinePoint& point, const Metrics& metrics);

// ---- Advice

enum class Binding {
  roof,     ///< near a roof: of arithmetic, of a memory level, or of issue slots
  latency,  ///< latency: the work waits for something
  wall,     ///< access pattern: at or beyond a wall of the instruction roofline
  launch,   ///< kernel launches take the time
  code,     ///< host only: properties of the compiled code
  unknown   ///< far from every roof, with no further counts
};

/// Returns "roof", "latency", "wall", "launch", "code", or "unknown".
std::string_view name_of(Binding binding);

/// What to look at next, by cause: a row of roofline/models/advice.txt.
struct AdviceRow {
  std::string title;  ///< for people: "data from memory"
  std::string look;   ///< a sentence or a few, for people
};

/// The row of that cause, or nullptr: chips may wait for what the table does not know.
const AdviceRow* find_advice(std::string_view cause);

/// A cause that limits work.
struct Cause {
  Binding binding = Binding::unknown;
  std::string name;      ///< name in roofline/models/advice.txt: "compute", "long_scoreboard"
  std::string evidence;  ///< measured evidence: "5.62 warps per issue"
};

/// All known facts about a piece of work.
struct Facts {
  /// The point of the precision with most operations; nullptr without operations or a point. Then
  /// the instruction roofline's point is used instead.
  const RooflinePoint* point = nullptr;
  const Metrics* metrics = nullptr;                          ///< metrics; never nullptr
  const std::vector<RooflinePoint>* instructions = nullptr;  ///< instruction points, or nullptr
  double seconds = 0;                                        ///< time without profiler; 0: ?
  double launches = 0;                                       ///< launches in `seconds`; 0: unknown
  std::optional<LaunchCost> launch_cost = {};
};

struct Advice {
  Cause cause;  ///< the cause that limits most
  /// A second cause, if the first one does not explain everything: see advice_of.
  std::optional<Cause> also = {};
  std::string next = {};  ///< what to examine next, for people
};

/// The first rule of docs/advice.md that holds: launches, a wall, a roof (the verdict's, or that of
/// all instructions, whose arithmetic is "issue"), latency or code. `also` is, with a launch or a
/// wall, the cause without them; with a roof whose unit is less than 80% busy, the top stall,
/// unless that is math_pipe_throttle, which is the roof itself; with a stall, one that is as large.
Advice advice_of(const Facts& facts);

/// "latency: data from memory (long_scoreboard, 5.62 warps per issue)".
std::string cause_text(const Cause& cause);

/// The title of a cause in the table, or else its printable name.
std::string title_of(const Cause& cause);

}  // namespace roofline
