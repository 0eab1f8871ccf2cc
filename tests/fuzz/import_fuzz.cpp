// Any bytes at all as the table of another profiler, through the import and every view.
#include <cstdint>
#include <string>

#include "tests/fuzz/profile_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  roofline::fuzz::show_import(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
