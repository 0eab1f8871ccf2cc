// Any bytes at all as a study.json, and changes of real ones, through the reader and every view.
//
// A record is either refused with InputError or it is shown whole: no text acts on a terminal or in
// a script, no number makes a drawing endless, and what is written again is read again.
#include <cstdint>
#include <string>

#include "tests/fuzz/record_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpp::fuzz::show_record(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
