// The targets of the fuzzers for imports, profiles and pages, also used by tests that replay them.
#pragma once

#include <string>

namespace roofline::fuzz {

/// Imports another profiler's table and shows the profile in every way. Returns whether it was
/// accepted; a refusal must have a message. Any other result ends the program.
bool show_import(const std::string& text);

/// Shows a profile.json in every way.
bool show_profile(const std::string& text);

/// Assembles a page with the text as title and as data, as JSON if it is valid, else as a string.
void show_page(const std::string& text);

}  // namespace roofline::fuzz
