// Checks that an input can be computed.
#pragma once

#include <string_view>

#include "gpp/input.h"

namespace gpp {

// Each function throws InputError. `source` names the input in messages: its file or generator.

/// Checks the integers of records 1 and 2: every dimension is positive, and
///   peinf_ntband_dist <= peinf_ntband_max, ngpown <= epsmpi_ngpown_max, ncouls <= ncoul.
void validate_dimensions(const Input& input, std::string_view source);

/// Checks that every array has the size that its dimensions give.
void validate_sizes(const Input& input, std::string_view source);

/// Checks all of the above and more: frequencies lie in 1..3, each index that the kernel uses is in
/// range, each band and each G' occurs once, and every number is finite. Padding may hold anything
/// (peinf_indext_dist beyond peinf_ntband_dist, inv_igp_index beyond ngpown, and unused elements of
/// indinv). indinv may map a G' beyond ncouls or to 0, which means that it is not among the G
/// vectors.
void validate(const Input& input, std::string_view source);

}  // namespace gpp
