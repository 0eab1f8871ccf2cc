// Written by roofline/cmake/Embed.cmake.
#include "roofline/models/embedded.h"

#include <cstddef>
#include <vector>

// The bytes of a file between two symbols.
#define EMBED(symbol, file)                                                          \
  asm(".section .rodata\n.hidden " #symbol "\n.global " #symbol "\n.hidden " #symbol \
      "_end\n"                                                                       \
      ".global " #symbol "_end\n" #symbol ":\n.incbin \"" file "\"\n" #symbol        \
      "_end:\n.byte 0\n.previous\n");                                                \
  extern "C" const char symbol[];                                                    \
  extern "C" const char symbol##_end[];
#define EMBEDDED(symbol) \
  { symbol, static_cast<std::size_t>(symbol##_end - symbol) }

EMBED(roofline_embedded_embedded_tables_0, "/work/w14/roofline/models/amd.txt")
EMBED(roofline_embedded_embedded_tables_1, "/work/w14/roofline/models/host.txt")
EMBED(roofline_embedded_embedded_tables_2, "/work/w14/roofline/models/nvidia.txt")

namespace roofline {

std::span<const EmbeddedText> embedded_tables() {
  static const std::vector<EmbeddedText> files = {
      {"amd.txt", EMBEDDED(roofline_embedded_embedded_tables_0)},
      {"host.txt", EMBEDDED(roofline_embedded_embedded_tables_1)},
      {"nvidia.txt", EMBEDDED(roofline_embedded_embedded_tables_2)},
  };
  return files;
}

}  // namespace roofline
