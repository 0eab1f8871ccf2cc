// Any bytes at all as a study.json, and changes of real ones, through the reader and every view.
//
// A record is either refused with InputError or it is shown whole: no text acts on a terminal or in
// a script, no number makes a drawing endless, and what is written again is read again.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "tests/fuzz/record_target.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpp::fuzz::show_record(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned int seed) {
  std::mt19937 random(seed);
  nlohmann::json json = nlohmann::json::parse(data, data + size, nullptr, false);
  if (json.is_discarded() || random() % 20 == 0) return LLVMFuzzerMutate(data, size, most);
  for (auto changes = 1 + random() % 3; changes > 0; --changes)
    gpp::fuzz::change_somewhere(json, random);
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
