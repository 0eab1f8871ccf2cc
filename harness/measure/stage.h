// A problem in the memory of each device that is used, and runs of variants on it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "harness/kernel.h"
#include "harness/measure/load.h"

namespace gpp {

/// One run, and its verdict.
struct Tried {
  double seconds = 0;
  Check check;
  LoadShare load;  ///< where it was measured
};

/// The problem as it is.
inline constexpr std::uint64_t as_it_is = 0;

/// A problem, placed once on each device that is used.
class Stage {
 public:
  explicit Stage(const Subject& subject) : subject_(subject) {}

  /// Throws what the runtime throws when the problem does not fit.
  Placement& on(const Runtime& runtime) {
    std::unique_ptr<Placement>& placement = placements_[&runtime];
    if (!placement) placement = subject_.place(runtime);
    return *placement;
  }

  /// Runs and checks on the problem varied by that seed, in the same memory.
  Tried run(const Variant& variant, const Build& build, std::uint64_t seed, double tolerance,
            LoadMeter* load = nullptr) {
    Tried tried;
    if (load != nullptr) load->begin();
    tried.seconds = run_only(variant, build, seed);
    if (load != nullptr) tried.load = load->end();
    tried.check = on(*build.runtime).check(tolerance);
    return tried;
  }

  /// Without looking at the answer. The seconds it took.
  double run_only(const Variant& variant, const Build& build, std::uint64_t seed) {
    Placement& placement = on(*build.runtime);
    placement.vary(seed);
    return build.runtime->time([&] { placement.run(variant, build.call); });
  }

 private:
  const Subject& subject_;
  std::map<const Runtime*, std::unique_ptr<Placement>> placements_;
};

}  // namespace gpp
