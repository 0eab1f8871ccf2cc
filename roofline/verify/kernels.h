// Launches kernels with known counts on the current CUDA device.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "roofline/verify/known_answers.h"

namespace roofline::known {

/// An array of doubles on the device. Throws std::runtime_error if memory is short.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size);
  ~DeviceArray();
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  double* data() const { return data_; }

 private:
  double* data_ = nullptr;
};

/// The reason why the current device cannot run a kernel of kernels(); else empty.
std::string cannot_run(std::string_view kernel);

/// Launches this one of kernels() once, with the sizes for its known counts, and waits for it.
/// `out` has room_for(kernel) doubles. Throws std::runtime_error for CUDA errors.
void run(std::string_view kernel, double* out);
std::size_t room_for(std::string_view kernel);

// Kernels with other sizes.

/// y += a x: one DFMA, 16 B read and 8 B written per element.
void daxpy(std::size_t size, double a, const double* x, double* y);
void dfma_chain(const Chain& chain, double* out);  ///< DFMA
void hfma_chain(const Chain& chain, double* out);  ///< HFMA2 on pairs of FP16
void constants(const Chain& chain, double* out);   ///< one DADD per thread, and loads of constants

}  // namespace roofline::known
