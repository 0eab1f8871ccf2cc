// Feeds arbitrary bytes or changed real files to TARGET as another
// profiler's table, a profile.json, a page or a study.json, to be read and shown in every way.
#include <cstdint>
#include <string>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TARGET(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
