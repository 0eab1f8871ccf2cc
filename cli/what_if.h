// `gpp explain v3 --registers 64 --block 256`: the occupancy of a step if its kernel took other
// resources.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/kernel.h"

namespace gpp {

struct WhatIf {
  std::optional<int> registers;     ///< of a thread
  std::optional<int> block;         ///< threads
  std::optional<long long> shared;  ///< bytes of a block
  std::optional<int> capability;    ///< 90 for 9.0

  bool asked() const { return registers || block || shared || capability; }
};

/// The answer for people. What is not named is as in the newest record of the variant on a GPU,
/// under `results`. Throws InputError where there is none, or the chip is not known.
std::string what_if(const Kernel& kernel, const Variant& variant,
                    const std::filesystem::path& results, const WhatIf& asked);

}  // namespace gpp
