#include "gpp/scale/communicator.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace gpp::scale {
namespace {

/// A function of a library that lies beside the program. It is never closed.
template <class Function>
Function load(const char* library, const char* name) {
  // MPI's own plug-ins look for its symbols among all that are loaded.
  void* const handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr)
    throw std::runtime_error(
        fmt::format("{} cannot be loaded: {}; install what it names, or put it beside the program",
                    library, dlerror()));
  const auto function = reinterpret_cast<Function>(dlsym(handle, name));
  if (function == nullptr)
    throw std::runtime_error(
        fmt::format("{} is of another build: build it anew: cmake --build build", library));
  return function;
}

}  // namespace

std::string mpi_missing() { return GPP_MPI_MISSING; }
std::string nccl_missing() { return GPP_NCCL_MISSING; }

bool started_by_launcher() {
  constexpr std::array variables = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::any_of(variables.begin(), variables.end(),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

int ranks_on_this_host() {
  // Variables of Open MPI, of Intel MPI and MPICH, and of srun, which writes "4(x2),3": the
  // launcher nearest to us first.
  for (const char* name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_TASKS_PER_NODE"}) {
    const char* const text = std::getenv(name);
    if (text == nullptr) continue;
    constexpr int host = 100'000;  // no host has more
    int most = 1;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
      int ranks = 0;
      std::from_chars(word.data(), word.data() + word.size(), ranks);
      most = std::clamp(ranks, most, host);
    }
    return most;
  }
  return 1;
}

std::unique_ptr<Communicator> all_ranks(double seconds) {
  if (!mpi_missing().empty()) throw std::runtime_error(mpi_missing());
  using Start = Communicator* (*)(double);
  return std::unique_ptr<Communicator>(load<Start>("libgpp_mpi.so", "gpp_all_ranks")(seconds));
}

namespace {

using MakeNccl = Exchange* (*)(Communicator&, int);

MakeNccl load_nccl() {
  if (!nccl_missing().empty()) throw std::runtime_error(nccl_missing());
  return load<MakeNccl>("libgpp_nccl.so", "gpp_nccl_exchange");
}

}  // namespace

void require_nccl() { load_nccl(); }

std::unique_ptr<Exchange> nccl_exchange(Communicator& ranks, int device) {
  return std::unique_ptr<Exchange>(load_nccl()(ranks, device));
}

}  // namespace gpp::scale
