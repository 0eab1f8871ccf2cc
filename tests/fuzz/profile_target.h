// The targets of the fuzzers of imports, profiles and pages, for the tests that replay them too.
#pragma once

#include <string>

namespace roofline::fuzz {

/// Imports a table of another profiler, and shows the profile in every way. Returns whether it was
/// accepted; a refusal comes with a message. Anything else ends the program.
bool show_import(const std::string& text);

/// Shows a profile.json likewise.
bool show_profile(const std::string& text);

/// Assembles a page that has the text as its title, and as its data: as JSON where it is some, else
/// as a text.
void show_page(const std::string& text);

}  // namespace roofline::fuzz
