#include "gpp/scale/communicator.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/visible.h"

namespace gpp::scale {

std::string mpi_missing() { return GPP_MPI_MISSING; }

std::unique_ptr<Communicator> all_ranks() {
  if (!mpi_missing().empty()) throw std::runtime_error(mpi_missing());
  constexpr const char* library = "libgpp_mpi.so";
  // It is never closed. MPI's own plug-ins look for its symbols among all that are loaded.
  void* const handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  void* const start = handle == nullptr ? nullptr : dlsym(handle, "gpp_all_ranks");
  if (start == nullptr)
    throw std::runtime_error(fmt::format(
        "{} cannot be used: {}; install what it names, or build it anew", library, dlerror()));
  return std::unique_ptr<Communicator>(reinterpret_cast<Communicator* (*)()>(start)());
}

void together(Communicator& all, const std::function<void()>& action) {
  std::string trouble;
  try {
    action();
  } catch (const std::bad_alloc&) {
    trouble = "out of memory; start fewer ranks on a host, or name a smaller preset";
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  if (!trouble.empty() && all.size() > 1)
    trouble = fmt::format("rank {} on {}: {}", all.rank(), roofline::host_name(), trouble);
  for (const std::string& one : all.gather(trouble))
    if (!one.empty()) throw roofline::InputError(one);
}

void require_the_same(Communicator& all, const std::string& word, const char* what) {
  const std::vector<std::string> words = all.gather(word);
  for (std::size_t rank = 1; rank < words.size(); ++rank)
    if (words[rank] != words.front())
      throw roofline::InputError(
          fmt::format("rank {} has another {} than rank 0, {} instead of {}: start all ranks by "
                      "one command, with one program and the same kind of device",
                      rank, what, roofline::visible(words[rank]), roofline::visible(words[0])));
}

}  // namespace gpp::scale
