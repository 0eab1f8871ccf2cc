// The share of its host that each rank gets, cores and a GPU; and whether all ranks agree.
#pragma once

#include <string>
#include <vector>

#include "gpp/scale/communicator.h"
#include "harness/measure/selection.h"

namespace gpp::scale {

/// Throws InputError on all ranks where one was started with other options ("--preset tiny") or is
/// another build.
void require_the_same(Communicator& all, const std::vector<std::string>& options);

/// OpenMP threads for each of `ranks` of a host, of which this may use `own` cores, and the
/// launcher that bound it to them `all`. As many as the environment asks for, and no more than its
/// share.
int threads_of_a_rank(int own, int all, int ranks, int asked);

/// Starts this program anew, unless its OpenMP threads are `cores`, or where that is 0 its share of
/// the cores. OpenMP knows no other way: GCC's runtime lets target regions of a host have as many
/// as OMP_NUM_THREADS asked for when the program started. To be called before anything is begun.
/// Throws InputError where the program cannot be started.
void start_with_threads(int cores);

/// Divides the cores that ranks of a host may use among those that may use the same ones, and keeps
/// this process to its share: to as many cores as it has OpenMP threads. Returns how many these
/// are. Throws InputError on all ranks where one has more threads than cores, or not the `wanted`
/// ones (0: as they are).
int take_cores(Communicator& all, int wanted);

/// Makes the GPU of this rank's place on its host the current one of every runtime that the
/// variants run under. Returns its number.
int take_device(const Communicator& all, const std::vector<Variant>& catalog);

/// Throws InputError on all ranks where one would run another build of the variant than rank 0: its
/// host lacks a GPU, for example.
void require_one_choice(Communicator& all, const Choice& choice);

/// Throws InputError on all ranks where two of them run on one GPU.
void require_gpus_of_their_own(Communicator& all, const Build& build);

}  // namespace gpp::scale
