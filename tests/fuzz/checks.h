// Checks that must hold for everything shown, whatever its source. A failure ends the program.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace roofline::fuzz {

void require(bool condition, const char* what, const std::string& text = "");

/// Requires that a text has no effect when it is displayed.
void require_visible(const std::string& text);

/// Requires that a page with this title and data (page/assemble.h) is intact: the title is plain
/// text, and the data do not end their element and read back equal.
void require_sound_page(const std::string& title, const nlohmann::ordered_json& data);

}  // namespace roofline::fuzz
