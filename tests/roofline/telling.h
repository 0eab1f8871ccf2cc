// For tests: a counted run that says itself what went wrong.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "roofline/counting.h"

namespace roofline::test {

/// Its check tells what the run returned.
inline CheckedRun telling(std::function<std::string()> run) {
  const auto told = std::make_shared<std::string>();
  return {[run = std::move(run), told] { *told = run(); }, [told] { return *told; }};
}

}  // namespace roofline::test
