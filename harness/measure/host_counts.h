// Counts what a variant does on a host: by the processor's counters where they can be read, else by
// what is known of its source.
#pragma once

#include "harness/measure/counting.h"

namespace gpp {

/// `run` is one run of the variant, checked: "" or what is wrong with its answer. Never throws;
/// where neither is to be had `source` is nobody and the reason says so.
roofline::Counted count_on_host(const CountingOptions& options, Subject& subject,
                                const Variant& variant, const roofline::CheckedRun& run);

}  // namespace gpp
