// FFTW transforms of a box. A plan is made once per size by timing; any thread may use it.
#pragma once

#include <fftw3.h>

#include <map>
#include <vector>

#include "examples/epsilon/screening.h"

namespace gpp::epsilon::omp {

/// A plan works only on boxes that are aligned as its own was. All are, to 16 bytes as Complex is,
/// and FFTW tells no finer alignments apart.
using Box = std::vector<Complex>;

class Fft {
 public:
  explicit Fft(int size) {
    Box box(static_cast<std::size_t>(size) * size * size);
    fftw_complex* const data = numbers(box);
    to_points_ = fftw_plan_dft_3d(size, size, size, data, data, FFTW_BACKWARD, FFTW_MEASURE);
    to_waves_ = fftw_plan_dft_3d(size, size, size, data, data, FFTW_FORWARD, FFTW_MEASURE);
  }
  Fft(const Fft&) = delete;
  Fft& operator=(const Fft&) = delete;
  ~Fft() {
    fftw_destroy_plan(to_points_);
    fftw_destroy_plan(to_waves_);
  }

  void to_points(Box& box) const { fftw_execute_dft(to_points_, numbers(box), numbers(box)); }
  /// The result is not divided by the number of points.
  void to_waves(Box& box) const { fftw_execute_dft(to_waves_, numbers(box), numbers(box)); }

 private:
  static fftw_complex* numbers(Box& box) { return reinterpret_cast<fftw_complex*>(box.data()); }

  fftw_plan to_points_, to_waves_;
};

/// Returns the transforms of boxes of that size, made at the first call.
inline const Fft& fft_of(int size) {
  static std::map<int, Fft> ffts;
  return ffts.try_emplace(size, size).first->second;
}

}  // namespace gpp::epsilon::omp
