// Device memory for the duration of a call, in the order of its default stream.
#pragma once

#include <cstddef>
#include <vector>

#include "gpp/array.h"
#include "runtimes/cuda/launch.h"

namespace gpp::cuda {

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) {
    check(cudaMallocAsync(&data_, count * sizeof(T), nullptr), "allocating memory on the device");
  }
  ~DeviceArray() { cudaFreeAsync(data_, nullptr); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// A copy in host memory of an array on the device.
template <class T>
std::vector<T> to_host(Array1<const T> array) {
  std::vector<T> copy(array.count());
  check(cudaMemcpy(copy.data(), array.data, array.count() * sizeof(T), cudaMemcpyDeviceToHost),
        "copying from the device");
  return copy;
}

}  // namespace gpp::cuda
