// Files that are embedded in the program (cmake/Embed.cmake), so that it does not need them where
// it runs.
#pragma once

#include <span>
#include <string_view>

namespace gpp::embedded {

struct File {
  std::string_view path;  ///< path in the repository: "lessons/v07_reciprocal.md"
  std::string_view text;
};

std::span<const File> glossary();         ///< docs/glossary.md
std::span<const File> roofline_primer();  ///< docs/roofline-primer.md

}  // namespace gpp::embedded
