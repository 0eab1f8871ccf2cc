#include "gpp/runtime.h"

namespace gpp {

long long bytes_of(const Problem& problem) {
  long long bytes = 0;
  relocate(problem, [&bytes](auto array) {
    bytes += static_cast<long long>(array.count() * sizeof(*array.data));
    return array;
  });
  return bytes;
}

}  // namespace gpp
