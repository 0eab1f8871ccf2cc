// Long texts against those that are kept of them: a file beside the test holds each word.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "harness/program/source_diff.h"
#include "tests/text.h"

namespace gpp::test {

/// The lines that only one of the texts has, each behind '-' or '+'.
inline std::string changed_lines(const std::string& before, const std::string& after) {
  std::string changed;
  for (const DiffLine& line : unified_diff(before, after, 0))
    if (line.kind != '@') changed += line.kind + line.text + "\n";
  return changed;
}

/// One change of the facts that are told.
template <class Facts>
struct Change {
  const char* what;
  void (*change)(Facts&);
};

/// What is told of facts, and under each change's name what it changes of that.
template <class Facts, class Told>
std::string told_with_changes(const Facts& facts, const std::vector<Change<Facts>>& changes,
                              const Told& told) {
  std::string text = told(facts);
  for (const Change<Facts>& one : changes) {
    Facts changed = facts;
    one.change(changed);
    text += std::string("\n==== ") + one.what + "\n" + changed_lines(told(facts), told(changed));
  }
  return text;
}

/// `text` must be what the file of this name in tests/ holds. With GPP_KEEP_TEXTS in the
/// environment the file is written instead: look at its diff.
inline void expect_kept(const std::string& name, const std::string& text) {
  const std::string file = GPP_SOURCE_DIR "/tests/" + name;
  if (std::getenv("GPP_KEEP_TEXTS") != nullptr) std::ofstream(file) << text;
  EXPECT_EQ(changed_lines(file_text(file), text), "") << "kept in " << file;
}

}  // namespace gpp::test
