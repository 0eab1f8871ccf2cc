// Feeds arbitrary bytes or changed real files to TARGET, declared in TARGET_IN, as another
// profiler's table, a profile.json, a page or a study.json, to be read and shown in every way.
#include <cstdint>
#include <string>

#include TARGET_IN

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TARGET(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
