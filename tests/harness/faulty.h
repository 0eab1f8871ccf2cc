// The plain loop with one deliberate fault each.
#pragma once

#include <string>
#include <vector>

#include "gpp/variant.h"

namespace gpp::test {

struct FaultyVariant {
  std::string fault;  ///< in snake case
  VariantFunction function;
};

/// The loop without a fault: what all others differ from.
Sums right_sums(const Problem& problem);

/// As a runtime does whose device has no memory left.
Sums throws(const Problem& problem);

/// Every fault that the check or the study must catch.
const std::vector<FaultyVariant>& faulty_variants();

}  // namespace gpp::test
