// STUB until branch main has it.
#pragma once
#include <cstdint>
#include <random>
#include <string_view>
namespace gpp {
class Secret {
 public:
  std::uint64_t draw(std::string_view, std::uint64_t) {
    return (std::uint64_t{engine_()} << 32) | engine_();
  }

 private:
  std::random_device engine_;
};
}  // namespace gpp
