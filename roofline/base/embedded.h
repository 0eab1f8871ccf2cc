// A file that was made part of the library or of a program when it was built
// (roofline/cmake/Embed.cmake): nothing is needed where it runs.
#pragma once

#include <string_view>

namespace roofline {

struct EmbeddedText {
  std::string_view path;  ///< in the folder that it is from: "nvidia.txt"
  std::string_view text;
};

}  // namespace roofline
