// Launches kernels with known counts on the current CUDA device.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "roofline/verify/known_answers.h"

namespace roofline::known {

/// The reason why the current device cannot run a kernel of kernels(); else empty.
std::string cannot_run(std::string_view kernel);

/// Takes memory for one of kernels(), filled with zeros. Each call of the result launches it once,
/// with the sizes for its known counts, and waits for it. Both throw std::runtime_error for CUDA
/// errors.
std::function<void()> prepared(std::string_view kernel);

}  // namespace roofline::known
