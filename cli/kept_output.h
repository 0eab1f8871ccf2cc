// Standard output of a process that this program started of itself.
#pragma once

#include <cstdio>

namespace gpp {

/// Standard output as it was, for our own lines alone; the caller closes it. What a variant prints
/// goes to standard error from now on. `what`: what would be lost, for the message. Throws
/// std::runtime_error where it cannot be kept.
std::FILE* keep_standard_output(const char* what);

}  // namespace gpp
