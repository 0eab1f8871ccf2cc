// Kernels whose counts follow from their sizes: what a recorder must find.
#pragma once

#include <cstddef>

namespace roofline::test {

/// Bytes of the device's L2 and of its free memory; 0 without a device.
struct DeviceMemory {
  std::size_t l2 = 0;
  std::size_t free = 0;
};
DeviceMemory device_memory();

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

// Each launches its kernel and waits for it. Throws std::runtime_error when CUDA refuses.

/// y += a x: one DFMA an element; 16 B read, 8 B written.
void daxpy(std::size_t size, double a, const double* x, double* y);

/// to[i] = from[4 i]: reads a sector of 32 B for 8 B that it uses, writes 8 B.
void copy_strided(std::size_t size, const double* from, double* to);

/// `length` dependent instructions in each of blocks * threads threads, and no others of that kind.
struct Chain {
  int blocks;
  int threads;
  int length;
  double instructions() const { return static_cast<double>(blocks) * threads * length; }
  double warp_instructions() const { return instructions() / 32; }
};

void dfma_chain(const Chain& chain, double* out);    ///< DFMA
void hfma_chain(const Chain& chain, double* out);    ///< HFMA2, on pairs of FP16
void constants(const Chain& chain, double* out);     ///< one DADD a thread, and loads of constants
void dmma_chain(const Chain& chain, double* out);    ///< warps multiply 8x8x4 in FP64
void shared_chain(const Chain& chain, double* out);  ///< each thread loads its own 8 B

/// Each thread loads the number of `size_of_number` bytes (4 or 8) at `stride` numbers from its
/// neighbour's, and stores it again: all accesses of global memory are of that kind. 0: all threads
/// of all warps at one. `memory` holds strided_size() doubles.
struct Strided {
  int blocks;
  int stride;
  int size_of_number;
};
std::size_t strided_size(const Strided& strided);
void access_strided(const Strided& strided, double* memory);

/// `length` loads of 4 B from shared memory in one warp a block, lanes `pitch` numbers apart, at
/// most 33; all other accesses of it are alike.
void shared_columns(int blocks, int length, int pitch, double* out);

/// Loads of 8 B from shared memory in every second lane: the others' predicate does not hold.
/// `length` is a multiple of 256; at most 256 threads a block.
void half_off_chain(const Chain& chain, double* out);

}  // namespace roofline::test
