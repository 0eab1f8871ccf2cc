// Functions that NVIDIA's compiler adds behind a kernel's code, for what no instruction does.
#pragma once

#include <string>
#include <string_view>

namespace roofline {

/// The name that a function has in the source, of the symbol that nvcc gives to its copy in a
/// kernel's section: "_Z4awaydd" of "$_Z6secondPdd$_Z4awaydd", "__cuda_sm20_rem_s64" of
/// "$__internal_0_$__cuda_sm20_rem_s64". Another symbol is returned as it is.
std::string_view without_owner(std::string_view symbol);

/// What a helper of the compiler computes: "division", "reciprocal", "square root", "reciprocal
/// square root", "remainder", "power", "argument reduction" (of sine and cosine); its name without
/// the owner where it is another helper; empty where the symbol is of no helper. The names are
/// those observed in the output of nvcc 13.0, which documents none.
std::string helper_name(std::string_view symbol);

}  // namespace roofline
