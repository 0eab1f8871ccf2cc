#include "roofline/inject/library/watcher.h"

#include <array>

#include "roofline/base/demangled.h"
#include "roofline/cuda_driver.h"
#include "roofline/cupti/driver.h"

namespace roofline::inject {

std::string kernel_name(const char* symbol) {
  if (symbol == nullptr || *symbol == '\0') return "a kernel without a name";
  const std::string name = demangled(symbol);
  return name.size() <= longest_name ? name : name.substr(0, longest_name - 3) + "...";
}

std::string device_name() {
  decltype(&::cuDeviceGetName) ask = nullptr;
  std::array<char, 200> name{};
  if (!find_cuda_driver_function("cuDeviceGetName", ask)) return "";
  const CUdevice device = cupti::current_target().device;
  ask(name.data(), static_cast<int>(name.size()) - 1, device);
  return name.data();
}

}  // namespace roofline::inject
