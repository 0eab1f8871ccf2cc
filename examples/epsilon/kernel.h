// The epsilon kernels as the harness studies them. Source of the kernels: Del Ben et al. 2020, Yang
// 2021; of what they compute: Deslippe et al. 2012.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "examples/epsilon/screening.h"
#include "harness/kernel.h"

namespace gpp::epsilon {

const Kernel& epsilon_kernel();

const std::vector<Variant>& catalog();

struct Size {
  int bands, n_g, n_g_psi;
  /// The largest of coulomb: from some 10 on, elimination has to look for its pivots.
  double strength = 8;
};

/// Points on each side of the smallest box of a size that transforms like (2^a 3^b 5^c 7^d), in
/// which no product of two waves meets one of the first n_g vectors of the next box.
int side_of_box(int n_g, int n_g_psi);

/// An input in host memory. `seed` decides all numbers. Throws InputError for sizes that are no
/// problem, or that the memory does not hold.
std::unique_ptr<Subject> make_subject(std::string label, const Size& size, std::uint64_t seed);

/// How much faster a GPU does a step than a host: those of the study, beside those of Yang 2021;
/// empty where it has not timed a step on both.
std::string host_against_gpu(const StudyRecord& study);

}  // namespace gpp::epsilon
