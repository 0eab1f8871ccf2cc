#include "harness/measure/host_counts.h"

namespace gpp {
namespace {

roofline::Counted by_counters(const CountingOptions& options, const roofline::CheckedRun& run) {
  roofline::Counted counted;
  if (options.counters == CountersWanted::source)
    counted.reason = "the hardware was not asked: --counters source";
  else if (options.host_counters == nullptr)
    counted.reason = "the counters of a host are not read";
  else
    counted = options.host_counters->count(run);
  return counted;
}

}  // namespace

roofline::Counted count_on_host(const CountingOptions& options, Subject& subject,
                                const Variant& variant, const roofline::CheckedRun& run) {
  return or_by_source(by_counters(options, run), subject, variant);
}

}  // namespace gpp
