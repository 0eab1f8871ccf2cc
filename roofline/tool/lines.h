// Source lines of a program that were kept: what show and report do with them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "roofline/program_lines.h"

namespace roofline {

struct KeptLines {
  std::filesystem::path folder;  ///< that they lie in
  ProgramLines lines;
};

/// Those in a file lines.json, or in a folder that has no profile; empty where it is neither.
/// Throws InputError.
std::optional<KeptLines> kept_lines(const std::string& record);

struct LinesShown {
  std::size_t top = 20;  ///< the hottest so many
  bool all = false;      ///< whole files
  bool json = false;
};
void print_lines(const ProgramLines& lines, const LinesShown& shown);

/// Writes lines.html into the folder. Returns its path.
std::filesystem::path write_lines_page(const KeptLines& kept);

}  // namespace roofline
