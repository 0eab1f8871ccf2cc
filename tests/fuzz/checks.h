// What must hold of anything that is shown, whatever it was made from. What does not ends the
// program.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace roofline::fuzz {

void require(bool condition, const char* what, const std::string& text = "");

/// The text does nothing where it is shown.
void require_visible(const std::string& text);

/// A page with this title and this data (page/assemble.h) is the page that was meant: the title is
/// a text, the data end nothing, and they are read back as they were.
void require_sound_page(const std::string& title, const nlohmann::ordered_json& data);

}  // namespace roofline::fuzz
