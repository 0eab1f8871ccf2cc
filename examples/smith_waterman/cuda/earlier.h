// Earlier steps, called by variants for pairs that they cannot do.
#pragma once

#include "examples/smith_waterman/pairs.h"

namespace gpp::smith_waterman::cuda {

void dpx(const Pairs& pairs);     // v4
void packed(const Pairs& pairs);  // v5

}  // namespace gpp::smith_waterman::cuda
