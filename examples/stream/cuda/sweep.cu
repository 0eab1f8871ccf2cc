// sweep_N: N fused multiply-adds per number read.
//
// Made from fma.
//
// Operations: 2 N fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

template <int fmas>
void sweep(const Arrays& arrays) {
  sum_chains<fmas>(arrays, arrays.a, arrays.c);
}

// Each line is a variant: sweep_20, sweep_24 and so on.
template void sweep<20>(const Arrays&);
template void sweep<24>(const Arrays&);
template void sweep<28>(const Arrays&);
template void sweep<32>(const Arrays&);
template void sweep<36>(const Arrays&);
template void sweep<40>(const Arrays&);
template void sweep<44>(const Arrays&);
template void sweep<48>(const Arrays&);
template void sweep<52>(const Arrays&);
template void sweep<56>(const Arrays&);
template void sweep<60>(const Arrays&);

}  // namespace gpp::stream::cuda
