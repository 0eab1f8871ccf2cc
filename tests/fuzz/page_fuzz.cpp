// Any bytes at all as the title and the data of a page: neither ends what it stands in.
#include <cstdint>
#include <string>

#include "tests/fuzz/profile_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  roofline::fuzz::show_page(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
