// A file that was embedded in the library or a program when it was built
// (roofline/cmake/Embed.cmake), so that it is not needed at run time.
#pragma once

#include <string_view>

namespace roofline {

struct EmbeddedText {
  std::string_view path;  ///< path in its source folder: "nvidia.txt"
  std::string_view text;
};

}  // namespace roofline
