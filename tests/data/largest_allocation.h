// Watches what this test program allocates, so that tests can tell an absurd request.
#pragma once

#include <cstddef>

namespace gpp::test {

/// Forgets what was allocated so far.
void reset_largest_allocation();

/// Bytes of the largest single request to operator new since then.
std::size_t largest_allocation();

}  // namespace gpp::test
