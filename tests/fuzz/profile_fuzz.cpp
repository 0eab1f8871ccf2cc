// Any bytes at all as a profile.json, and changes of real ones, through the reader and every view.
#include <cstdint>
#include <string>

#include "tests/fuzz/profile_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  roofline::fuzz::show_profile(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
