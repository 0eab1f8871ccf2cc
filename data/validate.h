// Whether an input is fit to be computed.
#pragma once

#include <string_view>

#include "gpp/input.h"

namespace gpp {

// Each throws InputError. `source` names the input in messages: its file, or what made it.

/// The integers of records 1 and 2: every dimension is positive, and
///   peinf_ntband_dist <= peinf_ntband_max, ngpown <= epsmpi_ngpown_max, ncouls <= ncoul.
void validate_dimensions(const Input& input, std::string_view source);

/// Every array has the size its dimensions give it.
void validate_sizes(const Input& input, std::string_view source);

/// All of the above; the frequencies lie in 1..3; every index that the kernel uses is in range,
/// each band and each G' occurs once, and every number is finite. The padding of files
/// (peinf_indext_dist beyond peinf_ntband_dist, inv_igp_index beyond ngpown, the elements of indinv
/// that no G' uses) may hold anything. indinv may lead a G' beyond ncouls, or be 0: it has no place
/// among the G vectors then.
void validate(const Input& input, std::string_view source);

}  // namespace gpp
