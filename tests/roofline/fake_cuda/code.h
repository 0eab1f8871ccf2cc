// The fake kernels' machine code: two instructions on lines 2 and 3 of one.cu in the folder
// FAKE_CUDA_SOURCES; kernels called "bare" have no lines, and "parent" launches kernels itself.
#pragma once

#include <cstdlib>

#include "tests/roofline/cubin_builder.h"

namespace fake {

inline std::string cubin_of(const std::string& kernel) {
  namespace line = roofline::line;
  roofline::CubinBuilder cubin;
  cubin.symbols = {{kernel, 0, 0x20}};
  if (kernel == "parent")
    cubin.symbols = {{kernel, 0, 0x20, 7, 0x1002}, {"__cudaCDP2LaunchDeviceV2", 0, 0x20}};
  if (kernel.find("bare") != kernel.npos) return cubin.bytes();
  roofline::UnitBuilder unit;
  unit.program = line::address() + line::lines(1) + line::copy() + line::advance(16) +
                 line::lines(1) + line::copy() + line::advance(16) + line::end();
  if (const char* folder = std::getenv("FAKE_CUDA_SOURCES"); folder != nullptr)
    unit.folder = folder;
  cubin.add(unit);
  return cubin.bytes();
}

}  // namespace fake
