// `GPP_REGISTERS_FOR(threads)` in a target directive: limits registers for this number of threads
// per multiprocessor, independently of the team's size. `thread_limit` must not be a constant then,
// because it would limit the registers instead. Without this, clang uses all registers that one
// team may have. Hosts have no such limit.
#pragma once

#if defined(GPP_OMP_GPU) && defined(__clang__)
#define GPP_REGISTERS_FOR(threads) ompx_attribute(__attribute__((launch_bounds(threads))))
#else
#define GPP_REGISTERS_FOR(threads)
#endif
