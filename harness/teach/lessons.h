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

/// The texts are Markdown, restricted to paragraphs, lists, `code`, **strong** and [links](url).
struct Lesson {
  std::string id;                        ///< "v7"
  std::string step;                      ///< "reciprocal"
  std::string idea;                      ///< the idea in five sentences
  std::string changes;                   ///< compared with the previous step
  std::string predict;                   ///< a question to think about first
  std::string published;                 ///< published results; may be empty
  std::string published_on = {};         ///< title of that section: "On a V100", "On an MI250X"
  std::string recorded;                  ///< results of a recorded study; may be empty
  std::string recorded_on = {};          ///< title of that section: "On an H100", "On an H200"
  std::string on_host;                   ///< the effect on a CPU ("On a host")
  std::string openmp;                    ///< the effect in OpenMP on a GPU ("In OpenMP"); may be ""
  std::string next;                      ///< an exercise to try next
  std::vector<std::string> titles = {};  ///< of its sections, in order
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
