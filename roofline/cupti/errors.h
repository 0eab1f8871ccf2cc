// CUPTI's refusals in words for people, with remedies.
#pragma once

#include <string>

#include "roofline/cupti/functions.h"

namespace roofline::cupti {

/// The mistake and the remedy: "the counters are in use by another program; ...".
std::string explain(CUptiResult result);

/// Throws RecorderError unless the call succeeded: the explanation, the call and CUPTI's own words.
void check(const Functions& functions, CUptiResult result, const char* call);

}  // namespace roofline::cupti
