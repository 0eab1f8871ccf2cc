// Files that were made part of the program when it was built (cmake/Embed.cmake), so that it needs
// none of them where it runs.
#pragma once

#include <span>
#include <string_view>

namespace gpp::embedded {

struct File {
  std::string_view path;  ///< in the repository: "lessons/v07_reciprocal.md"
  std::string_view text;
};

std::span<const File> sources();          ///< of all kernels' variants, and what these share
std::span<const File> glossary();         ///< docs/glossary.md
std::span<const File> roofline_primer();  ///< docs/roofline-primer.md

}  // namespace gpp::embedded
