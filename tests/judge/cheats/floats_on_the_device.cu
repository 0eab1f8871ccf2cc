// Cheat: computes each term in float, and adds them up in double.
//
// Stopped by: the tolerance.
// Outcome: wrong.

__device__ BasicComplex<float> in_float(Complex value) {
  return {static_cast<float>(value.re), static_cast<float>(value.im)};
}

__global__ void float_kernel(Problem problem, BasicLimits<float> limits, int iw,
                             FrequencySums* partial) {
  FrequencySums sums{};
  const int igp = static_cast<int>(blockIdx.y);
  const int ig = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (ig < problem.ncouls) {
    const Pole<float> pole = make_squared_pole(in_float(problem.wtilde_array(ig, igp)),
                                               in_float(problem.I_eps_array(ig, igp)), limits);
    for (int n1 = 0; n1 < problem.nbands; ++n1) {
      const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
      const auto wx = static_cast<float>(problem.wx_array_t(n1, iw));
      const Term<float> term = power2(pole, wx, limits);
      const Complex ssx{term.ssx.re, term.ssx.im}, sch{term.sch.re, term.sch.im};
      sums.asx -= problem.vcoul_loc(igp) * problem.occ_array(n1) * ssx * m;
      sums.ach += problem.vcoul_loc(igp) * 0.5 * sch * m;
    }
  }
  store_block_sum(sums, partial);
}

Sums floats_on_the_device(const Problem& problem) {
  const BasicLimits<float> limits{static_cast<float>(problem.limits.limitone),
                                  static_cast<float>(problem.limits.limittwo),
                                  static_cast<float>(problem.limits.sexcut)};
  const dim3 grid(blocks_for(problem.ncouls, threads), static_cast<unsigned>(problem.ngpown));
  BlockSums<FrequencySums> partial(grid);
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    launch(float_kernel, {grid, threads}, problem, limits, iw, partial.data());
    const FrequencySums total = partial.total();
    sums.asx[iw] = total.asx;
    sums.ach[iw] = total.ach;
  }
  return sums;
}
