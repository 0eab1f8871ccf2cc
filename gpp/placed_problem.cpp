#include "gpp/placed_problem.h"

namespace gpp {

template <class Copy>
void PlacedProblem::place(const FactoredProblem& problem, const Copy& copy) {
  vcoul_loc_ = problem.vcoul_loc;
  vcoul_.assign(vcoul_loc_.data, vcoul_loc_.data + vcoul_loc_.size);
  view_ = relocate(problem, [&](const char* name, auto array) {
    if (array.count() == 0) return array;
    const bool is_vcoul = static_cast<const void*>(array.data) == vcoul_loc_.data;
    const void* source = is_vcoul ? static_cast<const void*>(vcoul_.data()) : array.data;
    array.data =
        static_cast<decltype(array.data)>(copy(name, source, array.count() * sizeof(*array.data)));
    return array;
  });
}

PlacedProblem::PlacedProblem(const PreparedProblem& problem, const DeviceMemory& memory)
    : arrays_(memory) {
  place(problem.view(), [this](const char* name, const void* source, std::size_t bytes) {
    return arrays_.add(name, source, bytes);
  });
}

void PlacedProblem::become(const FactoredProblem& other) {
  place(other, [this](const char* name, const void* source, std::size_t /*bytes*/) {
    return arrays_.replace(name, source);
  });
  arrays_.rewrite(vcoul_.data());  // PlacedArrays expects the same array
}

void PlacedProblem::reweight(const std::vector<double>& factors) {
  for (std::size_t igp = 0; igp < vcoul_.size(); ++igp)
    vcoul_[igp] = factors[igp] * vcoul_loc_.data[igp];
  arrays_.rewrite(vcoul_.data());
}

long long bytes_of(const FactoredProblem& problem) {
  long long bytes = 0;
  relocate(problem, [&bytes](const char* /*name*/, auto array) {
    bytes += static_cast<long long>(array.count() * sizeof(*array.data));
    return array;
  });
  return bytes;
}

}  // namespace gpp
