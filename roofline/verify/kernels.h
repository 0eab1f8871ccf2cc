// Launches the kernels whose counts are known, on the current CUDA device.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "roofline/verify/known_answers.h"

namespace roofline::known {

/// An array of doubles on the device. Throws std::runtime_error where there is no room.
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

/// Why the current device cannot run that one of kernels(); empty where it can.
std::string cannot_run(std::string_view kernel);

/// Launches that one of kernels() once, with the sizes that its answers are of, and waits for it.
/// `out` has room for room_for(kernel) doubles. Throws std::runtime_error when CUDA refuses.
void run(std::string_view kernel, double* out);
std::size_t room_for(std::string_view kernel);

// Kernels of other sizes.

/// y += a x: one DFMA an element; 16 B read, 8 B written.
void daxpy(std::size_t size, double a, const double* x, double* y);
void dfma_chain(const Chain& chain, double* out);  ///< DFMA
void hfma_chain(const Chain& chain, double* out);  ///< HFMA2, on pairs of FP16
void constants(const Chain& chain, double* out);   ///< one DADD a thread, and loads of constants

}  // namespace roofline::known
