// A trajectory on a GPU with known numbers.
#pragma once

#include "harness/record/trajectory.h"

namespace gpp::test {

/// v1 and v11 of cuda on 8, 66 and 132 multiprocessors, one size. v11 scales without loss, and its
/// bytes beyond L1 are counted on all 132 alone. v1 scales without loss, moves twice the bytes of
/// DRAM on 132 than on fewer, and comes near DRAM's roof there.
Trajectory sample_trajectory();

}  // namespace gpp::test
