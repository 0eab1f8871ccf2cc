// The tables of documents that are made from records: of docs/reproduction.md SC19's nine steps on
// a V100 beside ours on an H200, of docs/advice.md advice beside gains.
#pragma once

#include <string>
#include <string_view>

#include "tools/fill_in/evidence.h"

namespace gpp {

/// The Markdown table of that name, blank lines around it:
///   times       time, speedup over v1, gain over the step before, registers and warps
///   operations  FP64 operations, their rate, % of peak and of the FMA-mix ceiling
///   counters    what the profiler counted on the H200, step by step; a sentence where it did not
///   ladder NAME a published ladder beside what was measured: of the record h200/ladders/NAME, or
///               where there is none as far as h200/gpp214 has its steps
///   advice      how often advice hit and missed (advice_check.h), ladder by ladder
///   advice STUDY MODEL   what was advised on each step of a ladder, and what the next one gained
/// Throws std::runtime_error for another name, InputError for a record that cannot be read.
std::string evidence_table(const Evidence& evidence, std::string_view name);

}  // namespace gpp
