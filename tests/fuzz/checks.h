// Checks that must hold for everything shown, whatever its source. A failure ends the program.
#pragma once

#include <string>

namespace roofline::fuzz {

void require(bool condition, const char* what, const std::string& text = "");

/// Requires that a text has no effect when it is displayed.
void require_visible(const std::string& text);

/// Requires that a page has no fault (tests/roofline/page_text.h).
void require_sound_page(const std::string& page);

}  // namespace roofline::fuzz
