// The stream kernels for the harness. Source of the kernels: Lu and Wolfe 2022.
#pragma once

#include "examples/made_kernel.h"
#include "examples/stream/arrays.h"

namespace gpp::stream {

const Kernel& stream_kernel();
const std::vector<Variant>& catalog();
KernelBuilt built();

/// The work per element that a variant's source states; nothing for other texts.
std::optional<examples::StatedWork> work_of(const Variant& variant);

/// The computation of a variant. Its work identifies it: 1 operation and 12 bytes mean add.
enum class Computation { add, mul, triad, chain };

/// Returns nothing if no computation of this kernel has this work.
std::optional<Computation> computation_of(const examples::StatedWork& work);

struct Size {
  long long n;
  int lanes;
};

/// Makes an input in host memory. `seed` determines all numbers.
std::unique_ptr<Subject> make_subject(std::string label, const Size& size, std::uint64_t seed);

}  // namespace gpp::stream
