// Slides of a talk, from a text: docs/talk.md. A line `---` ends a slide. From the paragraph that
// begins with "Notes (3 min):" on the rest of a slide is what the speaker says, and how long.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gpp {

struct Slide {
  std::string text;   ///< Markdown
  std::string notes;  ///< Markdown
  int minutes = 0;
};

/// Throws std::runtime_error for a slide without notes, or without their minutes.
std::vector<Slide> slides_of(std::string_view markdown);

/// One page that needs no other file. Pictures are read relative to `folder`, where the text lies.
/// Throws std::runtime_error where one cannot be read.
std::string talk_page(const std::vector<Slide>& slides, const std::filesystem::path& folder);

}  // namespace gpp
