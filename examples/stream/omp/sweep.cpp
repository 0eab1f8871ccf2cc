// sweep_N: N fused multiply-adds per number read.
//
// Made from fma.
//
// Operations: 2 N fp32 per element; 4 bytes.

#include "examples/stream/omp/chains.h"

namespace gpp::stream::omp {

template <int fmas>
void sweep(const Arrays& arrays) {
  sum_chains<fmas>(arrays, arrays.a, arrays.c);
}

// Each line is a variant: sweep_20, sweep_24 and so on.
GPP_VARIANT(sweep<20>);
GPP_VARIANT(sweep<24>);
GPP_VARIANT(sweep<28>);
GPP_VARIANT(sweep<32>);
GPP_VARIANT(sweep<36>);
GPP_VARIANT(sweep<40>);
GPP_VARIANT(sweep<44>);
GPP_VARIANT(sweep<48>);
GPP_VARIANT(sweep<52>);
GPP_VARIANT(sweep<56>);
GPP_VARIANT(sweep<60>);

}  // namespace gpp::stream::omp
