// The limit of a piece of work: a roof if it is near one, else latency.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/metrics.h"
#include "roofline/model.h"

namespace roofline {

/// A roof counts as near from this percentage. `percent_of_roof` is the share of the run that the
/// nearest roof explains: below one half, most of the time went elsewhere, so the run did not wait
/// for that roof.
inline constexpr double near_share = 50;

struct Stall {
  std::string name;            ///< "long_scoreboard"
  double warps_per_issue = 0;  ///< waiting warps per issued instruction
};

/// All stall reasons, in descending order. Warps that issued, or were ready while another one
/// issued, are not waiting. Empty if stalls were not counted.
std::vector<Stall> stalls_of(const Metrics& metrics);

/// The largest stall.
std::optional<Stall> top_stall(const Metrics& metrics);

/// The utilisation of the pipe of the point's precision in percent; 0 if unknown.
double pipe_used(const RooflinePoint& point, const Metrics& metrics);

/// Verdict::by if nothing else is known.
inline constexpr std::string_view no_roof_near = "no roof near";

struct Verdict {
  std::string by;        ///< "compute", "l2"; "latency"; "scalar code", "division"; "no roof near"
  std::string evidence;  ///< "long_scoreboard 4.69 per issue"; empty for a near roof
  std::string text() const;  ///< "latency (long_scoreboard 4.69 per issue)"
};

/// The first of these that applies:
///   - the nearest roof, if near_share of it was reached;
///   - "compute", if that is the nearest and the precision's pipe was busy for near_share of the
///     time: its instructions are not all fused multiply-adds, and some are not FLOPs at all;
///   - "latency", with the top stall, if stalls were counted;
///   - on a host with analysed machine code: "division", if divisions alone would take near_share
///     of the time; "scalar code", if near_share of the numbers are processed one by one; else
///     "latency": vector instructions that wait for one another;
///   - "no roof near", with the reached share of the nearest roof, if nothing else is known.
Verdict verdict(const RooflinePoint& point, const Metrics& metrics);

/// All possible values of Verdict::by on that kind of device, "host" or "gpu".
std::vector<std::string> verdict_words(std::string_view device);

}  // namespace roofline
