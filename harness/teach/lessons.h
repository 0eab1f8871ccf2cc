// The lesson of each step: what it changes, what to predict, and what came of it.
//
// The files of a kernel hold them, one source for `gpp explain`, the report and for people who read
// the files. lessons/README.md says how one is written; a file may hold several.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// Texts are Markdown: paragraphs, lists, `code`, **strong** and [links](url), nothing else.
struct Lesson {
  std::string id;                 ///< "v7"
  std::string step;               ///< "reciprocal"
  std::string idea;               ///< five sentences
  std::string changes;            ///< against the step before
  std::string predict;            ///< to think about before looking
  std::string published;          ///< what was published of it; may be empty
  std::string published_on = {};  ///< the title of that section: "On a V100", "On an MI250X"
  std::string recorded;           ///< what a recorded study saw; may be empty
  std::string recorded_on = {};   ///< the title of that section: "On an H100", "On an H200"
  std::string on_host;            ///< what the step does on a CPU ("On a host")
  std::string openmp;             ///< what OpenMP makes of it on a GPU ("In OpenMP"); may be empty
  std::string next;               ///< what to try
};

/// The text without paragraphs for the other kind of device. A paragraph is for one kind where it
/// begins with "On a GPU:" or "On a host:"; that mark is left out.
std::string text_for(const std::string& kind, const std::string& markdown);

/// The lessons in a file, each under a title "# ID: STEP". `source` names it in errors. Throws
/// std::runtime_error that says what is missing or out of place.
std::vector<Lesson> parse_lessons(std::string_view markdown, std::string_view source);

/// All of a kernel's, in the order of the steps.
const std::vector<Lesson>& lessons_of(const Kernel& kernel);

/// Finds a lesson by id or step, "v7" or "reciprocal"; nullptr where there is none.
const Lesson* find_lesson(const Kernel& kernel, std::string_view name);

}  // namespace gpp
