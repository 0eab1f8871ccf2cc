// The library's own tables, made part of it when it was built (roofline/cmake/Embed.cmake): it
// needs no file where it runs.
#pragma once

#include <span>
#include <string_view>

namespace roofline {

struct EmbeddedText {
  std::string_view path;  ///< in roofline/models: "nvidia.txt"
  std::string_view text;
};

std::span<const EmbeddedText> embedded_tables();

}  // namespace roofline
