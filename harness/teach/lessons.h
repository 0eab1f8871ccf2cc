// The lesson of each step: its changes, the question, and the results.
//
// A kernel's Markdown files hold the lessons for `gpp explain`, for the report and for readers.
// lessons/README.md defines their form; a file may hold several lessons.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// The texts are Markdown, restricted to paragraphs, lists, tables, `code`, **strong** and
/// [links](url).
struct Lesson {
  struct Section {
    std::string title;  ///< "Idea", "On a V100"
    std::string text;
  };
  std::string id;    ///< "v7"
  std::string step;  ///< "reciprocal"
  std::vector<Section> sections = {};

  /// The text under that title; "" if there is none.
  const std::string& text(std::string_view title) const;
};

/// The text without paragraphs for the other kind of device. A paragraph that begins with "On a
/// GPU:" or "On a host:" is for that kind; the mark itself is removed.
std::string text_for(const std::string& kind, const std::string& markdown);

/// The lessons in a file, each under a title "# ID: STEP". A test holds the sections of all lessons
/// against that form.
std::vector<Lesson> parse_lessons(std::string_view markdown);

/// All lessons of a kernel, sorted by step.
const std::vector<Lesson>& lessons_of(const Kernel& kernel);

/// Finds a lesson by id or step, "v7" or "reciprocal"; nullptr if there is none.
const Lesson* find_lesson(const Kernel& kernel, std::string_view name);

}  // namespace gpp
