// Texts about facts, and how changes of the facts alter them.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "harness/program/source_diff.h"
#include "tests/text.h"

namespace gpp::test {

inline Texts lines_of(const std::string& text) {
  Texts lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The lines that only one of the texts has, each after '-' or '+'.
inline std::string changed_lines(const std::string& before, const std::string& after) {
  std::string changed;
  for (const DiffLine& line : unified_diff(before, after))
    if (line.kind == '-' || line.kind == '+') changed += line.kind + line.text + "\n";
  return changed;
}

/// A named change of the facts.
template <class Facts>
struct Change {
  const char* what;
  void (*change)(Facts&);
};

/// The text about facts, and how each change alters it.
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

}  // namespace gpp::test
