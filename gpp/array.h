// Views of arrays in Fortran order: the first index is the fastest. They own no memory.
#pragma once

#include <cstddef>

#include "gpp/markers.h"

namespace gpp {

/// A vector of `size` elements, counted from 0.
template <class T>
struct Array1 {
  T* data = nullptr;
  int size = 0;

  GPP_HOST_DEVICE T& operator()(int i) const { return data[i]; }
  GPP_HOST_DEVICE std::size_t count() const { return static_cast<std::size_t>(size); }
};

/// A matrix of `rows` x `columns` elements, counted from 0; rows are contiguous in memory. Offsets
/// have 64 bits, because the product of two int dimensions may not fit an int.
template <class T>
struct Array2 {
  T* data = nullptr;
  int rows = 0;
  int columns = 0;

  GPP_HOST_DEVICE T& operator()(int row, int column) const {
    return data[row + static_cast<std::ptrdiff_t>(rows) * column];
  }
  GPP_HOST_DEVICE std::size_t count() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
};

}  // namespace gpp
