// Advice: the causes that bind a piece of work, and where to look next. It refines the verdict: a
// wall of the instruction roofline may explain a latency, and launches may take what no roof
// accounts for.
//
// Serves whatever has counts and a time: a variant, one kernel of it, or a kernel of a program that
// knows nothing of this library.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings.h"
#include "roofline/metrics.h"
#include "roofline/model.h"
#include "roofline/verdict.h"

namespace roofline {

enum class Binding {
  roof,     ///< it comes near a roof: of arithmetic, of a level of memory, of issue slots
  latency,  ///< it waits
  wall,     ///< its pattern of access: it stands at or beyond a wall of the instruction roofline
  launch,   ///< launching takes the time
  code,     ///< a host's: what the compiler made of it
  unknown   ///< far from every roof, and nothing more was counted
};

/// "roof", "latency", "wall", "launch", "code", "unknown".
std::string_view name_of(Binding binding);

/// Something that holds work back.
struct Cause {
  Binding binding = Binding::unknown;
  std::string name;      ///< of roofline/models/advice.txt: "compute", "long_scoreboard"
  std::string evidence;  ///< the number that shows it: "5.62 warps per issue"
};

/// All that is known of a piece of work.
struct Facts {
  /// The point of the precision with most operations; nullptr where none were counted or placed.
  /// Then the place among the instruction models tells of roofs.
  const RooflinePoint* point = nullptr;
  const Metrics* metrics = nullptr;                          ///< never nullptr
  const std::vector<RooflinePoint>* instructions = nullptr;  ///< instruction_points; or nullptr
  double seconds = 0;                                        ///< unprofiled; 0: not known
  double launches = 0;                                       ///< in that time; 0: not known
  std::optional<LaunchCost> launch_cost = {};
};

struct Advice {
  Cause cause;  ///< what binds it first
  /// A second cause, where the first does not explain all: see advice_of.
  std::optional<Cause> also;
  std::string next;    ///< what to look at next, for people
  std::string source;  ///< where that is from
};

/// From this share of its peak, in percent, a unit counts as used up. Between near_share and it,
/// waiting is told beside the roof. Source: NVIDIA, Nsight Compute, rule "speed of light".
inline constexpr double used_up = 80;

/// A stall is told beside the top one from this share of it: which of the two leads is then a
/// matter of chance.
inline constexpr double as_much_as = 0.8;

/// The most transactions that whole warps need where neighbours read neighbours in the widest
/// pieces, 16 B a thread: 16 sectors of 32 B, or 4 passes of 128 B through shared memory. More are
/// a wall's. Walls of unit stride are no fault. Source: Ding and Williams 2019 for walls.
inline constexpr double widest_sectors = 16, widest_passes = 4;

/// The first of these that holds:
///   - launch: launches times their cost take near_share of the time;
///   - wall: the run waits for global memory (long_scoreboard, lg_throttle) or for shared memory
///     (short_scoreboard, mio_throttle), or comes near a roof of such memory, and its accesses need
///     more transactions than widest_sectors or widest_passes;
///   - roof: the verdict's, or where that is none the one of all instructions, whose arithmetic is
///     "issue";
///   - latency: the top stall, or a host's latency;
///   - code: a host's "scalar code" and "division";
///   - unknown.
/// `also` is what would have been told without the launches or the wall; beside a roof whose unit
/// is not used_up the top stall, where that is not math_pipe_throttle, a roof's own; beside a stall
/// the next one, where it comes to as_much_as of the first.
Advice advice_of(const Facts& facts);

/// "latency: data from memory (long_scoreboard, 5.62 warps per issue)".
std::string cause_text(const Cause& cause);

/// The name of a cause for people: its title in the table, else its name as it may be shown.
std::string title_of(const Cause& cause);

/// Suggestions where to look, once for each cause that comes first in one of these, in their order.
std::string looks_text(const std::vector<Advice>& all, std::size_t width);

/// {"binds", "cause", "title", "evidence"}.
nlohmann::ordered_json cause_json(const Cause& cause);

/// The first cause for scripts, with "also" (another cause or null), "next" and "source".
nlohmann::ordered_json advice_json(const Advice& advice);

}  // namespace roofline
