// The limit of a piece of work, in words: a roof where it comes near one, else latency.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/metrics.h"
#include "roofline/model.h"

namespace roofline {

/// The share, in percent, from which a roof counts as near. `percent_of_roof` is the share of the
/// run that the nearest roof accounts for: below one half, most of the time went by on something
/// else, so that the roof cannot be what the run waited for.
inline constexpr double near_share = 50;

struct Stall {
  std::string name;            ///< "long_scoreboard"
  double warps_per_issue = 0;  ///< that waited, for each instruction issued
};

/// All reasons that warps waited for, most first. Warps that issued, or that were ready while
/// another did, are not counted as waiting. Empty where no stalls were counted.
std::vector<Stall> stalls_of(const Metrics& metrics);

/// The first of them.
std::optional<Stall> top_stall(const Metrics& metrics);

/// The use of the pipe of the point's precision, in percent; 0 where nobody knows.
double pipe_used(const RooflinePoint& point, const Metrics& metrics);

/// Verdict::by where nothing more is known.
inline constexpr std::string_view no_roof_near = "no roof near";

struct Verdict {
  std::string by;        ///< "compute", "l2"; "latency"; "scalar code", "division"; "no roof near"
  std::string evidence;  ///< "long_scoreboard 4.69 per issue"; empty where the roof is near
  std::string text() const;  ///< "latency (long_scoreboard 4.69 per issue)"
};

/// In this order:
///   - the nearest roof, where near_share of it was reached;
///   - "compute", where that is the nearest and the precision's pipe was busy for near_share of the
///     time: its instructions are not all fused multiply-adds, and some are not FLOPs at all;
///   - "latency", with the top stall, where stalls were counted;
///   - on a host whose machine code was looked at: "division", where divisions alone would take
///     near_share of the time; "scalar code", where near_share of the numbers are worked on one
///     by one; else "latency": vector instructions that wait for one another;
///   - "no roof near", with the share of the nearest that was reached: nothing more is known then.
Verdict verdict(const RooflinePoint& point, const Metrics& metrics);

/// Every word that Verdict::by can be on that kind of device, "host" or "gpu".
std::vector<std::string> verdict_words(std::string_view device);

}  // namespace roofline
