// v5 for variants that leave pairs to it.
#pragma once

#include "examples/smith_waterman/pairs.h"

namespace gpp::smith_waterman::cuda {

void packed(const Pairs& pairs);

}  // namespace gpp::smith_waterman::cuda
