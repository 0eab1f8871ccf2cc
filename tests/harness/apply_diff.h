// Applies a diff as `patch` does, but strictly: for tests of diffs.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "harness/program/source_diff.h"

namespace gpp {

/// The text after the diff; every line that it takes or keeps must be where it says.
inline std::string applied(const std::vector<DiffLine>& diff, const std::string& before) {
  std::vector<std::string> lines;
  std::istringstream stream(before);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);

  std::string after;
  std::size_t at = 0;
  for (const DiffLine& line : diff) {
    if (line.kind == '@') {
      unsigned first = 0, count = 1;
      std::sscanf(line.text.c_str(), "@@ -%u,%u", &first, &count);
      const std::size_t start = count == 0 ? first : first - 1;
      EXPECT_LE(start, lines.size()) << line.text;
      while (at < std::min(start, lines.size())) after += lines[at++] + "\n";
    } else if (line.kind == '+') {
      after += line.text + "\n";
    } else if (at >= lines.size() || lines[at] != line.text) {
      ADD_FAILURE() << "line " << at + 1 << " is not '" << line.text << "'";
      return after;
    } else {
      if (line.kind == ' ') after += lines[at] + "\n";
      ++at;
    }
  }
  while (at < lines.size()) after += lines[at++] + "\n";
  return after;
}

}  // namespace gpp
