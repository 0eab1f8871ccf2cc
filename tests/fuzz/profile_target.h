// The targets of the fuzzers for imports and profiles, also used by tests that replay them.
#pragma once

#include <string>

namespace roofline::fuzz {

/// Imports another profiler's table and shows the profile in every way. Returns whether it was
/// accepted; a refusal must have a message. Any other result ends the program.
bool show_import(const std::string& text);

/// Shows a profile.json in every way.
bool show_profile(const std::string& text);

}  // namespace roofline::fuzz
