// Evidence per source line, made by hand.
#pragma once

#include "roofline/record/lines.h"

namespace gpp::test {

using roofline::LinesRecord;

/// Samples of CUDA's v8: its load of aqsn, the term with the test of the cutoff inlined, and code
/// without a line. 1000 samples: 600 at the load, 540 of them long_scoreboard; 300 at the term, of
/// them 40 at the cutoff; 100 elsewhere.
LinesRecord sample_lines();

}  // namespace gpp::test
