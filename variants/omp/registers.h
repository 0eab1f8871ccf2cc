// `GPP_REGISTERS_FOR(threads)` in a target directive: registers for as many threads of a
// multiprocessor, however many a team has. `thread_limit` must then be no constant, which would
// bound the registers instead. Without it clang takes all that one team leaves it. Hosts have no
// such bound.
#pragma once

#if defined(GPP_OMP_GPU) && defined(__clang__)
#define GPP_REGISTERS_FOR(threads) ompx_attribute(__attribute__((launch_bounds(threads))))
#else
#define GPP_REGISTERS_FOR(threads)
#endif
