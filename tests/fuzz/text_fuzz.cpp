// Any bytes at all as a table of another profiler, a profile.json, a page or a study.json, and
// changes of real ones: TARGET, of the header TARGET_IN, reads and shows them in every way.
#include <cstdint>
#include <string>

#include TARGET_IN

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TARGET(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
