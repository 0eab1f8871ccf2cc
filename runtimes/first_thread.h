// The thread that a program starts with.
#pragma once

namespace gpp {

/// Lets the calling thread run on every core that OpenMP may use. OMP_PROC_BIND ties a program's
/// first thread to one core, some runtimes before main(); everything outside OpenMP (the roofs, the
/// generator, the number of cores) would then know that core alone. OpenMP's own threads stay
/// where they were bound.
void free_first_thread();

}  // namespace gpp
