// The clock of the core that asks.
#pragma once

namespace roofline::host {

/// MHz, from a chain of integer additions in registers, each of which takes one cycle on every
/// processor of today; about 50 microseconds. 0 for processors that it does not know.
double core_clock_mhz();

}  // namespace roofline::host
