// A host's variant, compiled a second time so that it tells its accesses and blocks: its work and
// the traffic of each cache, computed from what it did on a part of the input.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel.h"
#include "harness/record/record.h"
#include "roofline/machine_code/hot_code.h"
#include "roofline/metrics.h"
#include "roofline/trace/trace.h"
#include "roofline/trace/work.h"

namespace gpp {

/// A variant in the library of traced variants (cmake/Traced.cmake).
struct TracedVariant {
  Call call;
  void (*begin)(const std::vector<roofline::CacheShape>& caches) = nullptr;
  roofline::Trace (*end)() = nullptr;
};

/// The work of a variant on a whole input, and how it was found.
struct TracedCount {
  /// fp64_flop, fp32_flop, divisions, l1_bytes, l2_bytes, l3_bytes, dram_bytes; none that is 0.
  roofline::Metrics metrics;
  std::map<std::string, double> calls;  ///< of libraries' functions, by name
  std::string part;    ///< what was traced, for people: "8 of 402 G' and 16 of 402 G'"
  std::string caches;  ///< of the model, for people: "L1 48 KiB, L2 2 MiB, L3 105 MiB"
  std::string reason;  ///< why nothing was counted; empty where something was
};

/// Puts the traced work into the record. Counts of hardware stay. Else operations are the source's
/// where it states them, or those traced, and bytes are those of the model of caches.
void add_trace(const TracedCount& traced, Result& result, roofline::Counted& counted);

/// The library beside the program; its variants are looked up by name.
class TracedVariants {
 public:
  TracedVariants();
  /// Empty, and `reason` says why, where there is none of that name.
  TracedVariant find(const std::string& kernel, const Variant& variant, std::string& reason) const;
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  void* library_ = nullptr;  // stays loaded
  std::string reason_;
};

/// Traces a variant on slices of the subject and scales it to the whole: what the second, larger
/// slice does beyond the first is done for every further piece of work. Keeps the slices.
class HostTracer {
 public:
  HostTracer(const Kernel& kernel, Subject& subject);
  ~HostTracer();
  TracedCount count(const Variant& variant, const Runtime& host, double tolerance);
  /// Samples where a build spends its time: on the whole problem, which lies in `whole`, where one
  /// run takes less than a quarter of a second, else on the larger slice; for about that long.
  roofline::HotCode hot_code(const Variant& variant, const Build& build, double seconds_of_run,
                             Placement& whole);

 private:
  struct Slice;
  void cut();
  Placement& on_host(Slice& slice, const Runtime& host);

  const Kernel& kernel_;
  Subject& subject_;
  std::vector<std::unique_ptr<Slice>> slices_;  // one, or a smaller one and a larger one
  TracedVariants variants_;
  roofline::TracedCode code_;  // of their library
  std::vector<roofline::CacheShape> caches_;
};

}  // namespace gpp
