// What each rank gets of its host: cores and a GPU. And whether all ranks are of one mind.
#pragma once

#include <string>

#include "gpp/scale/communicator.h"
#include "harness/measure/selection.h"

namespace gpp::scale {

/// Throws InputError on all ranks where one was started with other options or is another build.
void require_the_same(Communicator& all, const std::string& options);

/// Divides the cores that ranks of a host may use among those that may use the same ones, and keeps
/// this process and its OpenMP threads to its share: `wanted` cores of it, where not 0. Returns how
/// many. Throws InputError on all ranks where they are not there.
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
