// The lesson of each step: what it changes, what to predict, and what came of it.
//
// lessons/*.md holds them, one source for `gpp explain`, the report and for people who read the
// files. lessons/README.md says how one is written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpp {

struct Question {
  std::string text;
  std::vector<std::string> choices;  ///< two or more
  std::size_t right = 0;             ///< index of the right one
  std::string why;                   ///< why it is right
};

/// Texts are Markdown: paragraphs, lists, `code`, **strong** and [links](url), nothing else.
struct Lesson {
  std::string id;         ///< "v7"
  std::string step;       ///< "reciprocal"
  std::string idea;       ///< five sentences
  std::string changes;    ///< against the step before
  std::string predict;    ///< to think about before looking
  std::string published;  ///< what SC19 saw on a V100
  std::string recorded;   ///< what the recorded study on an H200 saw
  std::string host;       ///< what the OpenMP variant shows; empty where there is nothing to say
  std::string next;       ///< what to try
  std::vector<Question> quiz;
};

/// The lesson in a file of lessons/. `source` names it in errors. Throws std::runtime_error that
/// says what is missing or out of place.
Lesson parse_lesson(std::string_view markdown, std::string_view source);

/// All of them, in the order of the steps.
const std::vector<Lesson>& lessons();

/// By id or step: "v7" or "reciprocal"; nullptr where there is none.
const Lesson* find_lesson(std::string_view name);

}  // namespace gpp
