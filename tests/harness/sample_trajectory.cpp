#include "tests/harness/sample_trajectory.h"

#include <algorithm>

#include "harness/measure/trajectory.h"
#include "harness/record/derive.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

constexpr int all = 132;

/// Arithmetic and L1 are each multiprocessor's own; half of them are enough for L2 and DRAM.
void scale_roofs(StudyRecord& study, double share) {
  std::erase_if(study.ceilings, [](const roofline::Ceilings& one) { return one.kind != "gpu"; });
  for (roofline::Ceilings& ceilings : study.ceilings)
    for (roofline::Ceiling& ceiling : ceilings.list) {
      const bool far = ceiling.name == "l2" || ceiling.name == "dram";
      const double factor = far ? std::min(1.0, 2 * share) : share;
      ceiling.measured *= factor;
      if (ceiling.theoretical) *ceiling.theoretical *= factor;
      ceiling.sweep.clear();
    }
}

double dram_of(const StudyRecord& study) { return study.ceilings.front().find("dram")->measured; }

/// The bytes of DRAM, and the transactions that follow from the same counter.
void move_bytes(roofline::Counted& counted, double bytes) {
  counted.counters["dram__bytes.sum"] = counted.metrics["dram_bytes"] = bytes;
  counted.metrics["dram_transactions"] = bytes / 32;
}

TrajectoryPoint point_on(int units) {
  TrajectoryPoint point{units, "silicon8", kernels_study()};
  const double share = static_cast<double>(units) / all;
  const double dram = dram_of(point.study);
  scale_roofs(point.study, share);
  for (Result& result : point.study.results) {
    const double seconds = result.timing().median;
    for (double& sample : result.samples) sample /= share;
    if (result.variant == "v1")
      move_bytes(result.counted, (units == all ? 0.9 : 0.45) * dram * seconds);
    else if (units < all)
      result.counted = counted_on_fewer(result.counted, {}, "nobody could");
    derive(point.study, result);
  }
  return point;
}

}  // namespace

Trajectory sample_trajectory() {
  Trajectory trajectory;
  trajectory.created = "2026-11-23T12:00:00Z";
  trajectory.kind = "gpu";
  trajectory.device = "NVIDIA H200";
  trajectory.units = all;
  trajectory.seconds = 100;
  trajectory.sizes = {"silicon8"};
  for (const int units : {8, 66, all}) trajectory.points.push_back(point_on(units));
  return trajectory;
}

}  // namespace gpp::test
