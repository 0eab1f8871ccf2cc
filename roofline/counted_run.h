// Runs that are counted: what goes wrong in one becomes the reason why nothing was counted.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "roofline/counting.h"

namespace roofline {

/// A counted run whose sums were wrong: what it counted is another problem's work.
struct WrongSums : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws WrongSums with what is wrong with the results of the last run, where something is.
void check_results(const CheckedRun& run);

Counted not_counted(std::string reason);

/// What `count` returns; where it throws, nothing was counted, and the reason says why.
Counted counted_or_why_not(const std::function<Counted()>& count);

}  // namespace roofline
