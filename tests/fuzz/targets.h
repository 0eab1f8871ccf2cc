// The targets of the fuzzers, also used by tests that replay them: each shows its text in every way
// and returns whether it was accepted. A refusal must have a message, of a record one that names
// the source. Any other result ends the program.
#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace roofline::fuzz {

bool show_import(const std::string& text);   ///< another profiler's table
bool show_profile(const std::string& text);  ///< a profile.json

/// Assembles a page with the text as title and as data.
void show_page(const std::string& text);

/// Makes one change: a number becomes awkward, a text hostile, or an element is duplicated or
/// removed.
void change_somewhere(nlohmann::json& json, std::mt19937& random);

// What must hold for everything shown, whatever its source. A failure ends the program.
void require(bool condition, const char* what, const std::string& text = "");
/// Requires that a text has no effect when it is displayed.
void require_visible(const std::string& text);
/// Requires that a page has no fault (tests/roofline/page_text.h).
void require_sound_page(const std::string& page);

}  // namespace roofline::fuzz

namespace gpp::fuzz {
bool show_record(const std::string& text);  ///< a study.json
}
