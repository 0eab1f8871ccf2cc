// Hopper's own instructions (sm_90a): matrix products of a warp group from shared memory, and
// copies into shared memory. PTX ISA, sections wgmma, mbarrier and cp.async.bulk.
#pragma once

#include <cstdint>

#include "runtimes/cuda/launch.h"

namespace gpp::cuda {

/// True if the device has Hopper's wgmma instructions; later devices have others.
inline bool is_hopper() { return attribute(cudaDevAttrComputeCapabilityMajor) == 9; }

inline unsigned multiprocessors() {
  return static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
}

inline constexpr int warp_group = 128;  ///< threads of a warp group

__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// ---- Barriers in shared memory ------------------------------------------------------------------

/// A reusable barrier for threads and copies: waiting threads continue when all have arrived.
class Barrier {
 public:
  __device__ void init(int arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address()), "r"(arrivals));
  }
  __device__ void arrive() {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address()) : "memory");
  }
  /// Arrives, and announces copies of `bytes` bytes.
  __device__ void arrive_and_expect(int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address()), "r"(bytes)
                 : "memory");
  }
  /// Waits for the end of a phase; phases are 0 and 1 alternately.
  __device__ void wait(unsigned phase) {
    asm volatile(
        "{.reg .pred done;\n"
        "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
        "@!done bra again;}" ::"r"(address()),
        "r"(phase)
        : "memory");
  }
  __device__ unsigned address() const { return shared_address(&state_); }

 private:
  std::uint64_t state_;
};

/// Makes this thread's new barriers visible to other threads and to copies.
__device__ inline void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Starts a copy from device memory to shared memory; `arrived` counts its bytes.
template <class T>
__device__ void copy_in_bulk(T& to, const T* from, const Barrier& arrived) {
  static_assert(sizeof(T) % 16 == 0);
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
      "[%3];" ::"r"(shared_address(&to)),
      "l"(from), "n"(sizeof(T)), "r"(arrived.address())
      : "memory");
}

// ---- Registers ----------------------------------------------------------------------------------

/// Sets the registers per thread of the warp group from here on.
template <int registers>
__device__ void give_registers_back() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ void take_more_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

// ---- Products -----------------------------------------------------------------------------------

/// A thread's part of the first operand of 64 rows by 32 bytes.
struct FirstBytes {
  unsigned part[4];

  /// Loads the part from an address where it is packed in this order.
  __device__ explicit FirstBytes(unsigned address) {
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
                 : "r"(address)
                 : "memory");
  }
  FirstBytes() = default;
};

/// The address of the second operand in shared memory: columns of 32 bytes. The first halves, 16
/// bytes each, of eight columns come first, then their second halves, then the next eight columns.
struct SecondBytes {
  std::uint64_t descriptor;

  __device__ explicit SecondBytes(const void* begin)
      : descriptor(128ULL / 16 << 16 | 256ULL / 16 << 32 | (shared_address(begin) & 0x3ffff) / 16) {
  }
  __device__ SecondBytes at(int bytes) const {
    SecondBytes moved = *this;
    moved.descriptor += bytes / 16;
    return moved;
  }
};

/// Must precede products: makes earlier writes to their registers complete.
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
/// Ends a batch, which has the products since the last call.
__device__ inline void end_batch() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until at most this many batches are in progress.
template <int batches>
__device__ void wait_for_batches() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(batches) : "memory");
}

// A thread has 4 sums of each 8 columns.
#define GPP_SUMS8(s, i)                                                                       \
  "+r"(s[i]), "+r"(s[i + 1]), "+r"(s[i + 2]), "+r"(s[i + 3]), "+r"(s[i + 4]), "+r"(s[i + 5]), \
      "+r"(s[i + 6]), "+r"(s[i + 7])

/// Prevents the compiler from reading the sums earlier.
__device__ inline void settle(int* sums) { asm volatile("" : GPP_SUMS8(sums, 0)::"memory"); }

/// sums = first * second, or sums += if `add`: 64 x `columns` exact sums over 32 bytes.
template <int columns>
__device__ void multiply_bytes(int* sums, const FirstBytes& first, SecondBytes second, bool add);

#define GPP_MULTIPLY_BYTES(columns, places, a0, a1, a2, a3, b, add_, ...)                          \
  template <>                                                                                      \
  __device__ inline void multiply_bytes<columns>(int* s, const FirstBytes& first,                  \
                                                 SecondBytes second, bool add) {                   \
    asm volatile("{.reg .pred add; setp.ne.b32 add, " add_                                         \
                 ", 0; wgmma.mma_async.sync.aligned.m64n" #columns "k32.s32.s8.s8 {" places        \
                 "}, {" a0 ", " a1 ", " a2 ", " a3 "}, " b ", add;}"                               \
                 : __VA_ARGS__                                                                     \
                 : "r"(first.part[0]), "r"(first.part[1]), "r"(first.part[2]), "r"(first.part[3]), \
                   "l"(second.descriptor), "r"(static_cast<int>(add)));                            \
  }

#define GPP_PLACES16 "%0, %1, %2, %3, %4, %5, %6, %7"
#define GPP_PLACES32 GPP_PLACES16 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define GPP_PLACES48 GPP_PLACES32 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define GPP_PLACES64 GPP_PLACES48 ", %24, %25, %26, %27, %28, %29, %30, %31"
#define GPP_PLACES80 GPP_PLACES64 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define GPP_PLACES96 GPP_PLACES80 ", %40, %41, %42, %43, %44, %45, %46, %47"

GPP_MULTIPLY_BYTES(16, GPP_PLACES16, "%8", "%9", "%10", "%11", "%12", "%13", GPP_SUMS8(s, 0))
GPP_MULTIPLY_BYTES(32, GPP_PLACES32, "%16", "%17", "%18", "%19", "%20", "%21", GPP_SUMS8(s, 0),
                   GPP_SUMS8(s, 8))
GPP_MULTIPLY_BYTES(48, GPP_PLACES48, "%24", "%25", "%26", "%27", "%28", "%29", GPP_SUMS8(s, 0),
                   GPP_SUMS8(s, 8), GPP_SUMS8(s, 16))
GPP_MULTIPLY_BYTES(64, GPP_PLACES64, "%32", "%33", "%34", "%35", "%36", "%37", GPP_SUMS8(s, 0),
                   GPP_SUMS8(s, 8), GPP_SUMS8(s, 16), GPP_SUMS8(s, 24))
GPP_MULTIPLY_BYTES(80, GPP_PLACES80, "%40", "%41", "%42", "%43", "%44", "%45", GPP_SUMS8(s, 0),
                   GPP_SUMS8(s, 8), GPP_SUMS8(s, 16), GPP_SUMS8(s, 24), GPP_SUMS8(s, 32))
GPP_MULTIPLY_BYTES(96, GPP_PLACES96, "%48", "%49", "%50", "%51", "%52", "%53", GPP_SUMS8(s, 0),
                   GPP_SUMS8(s, 8), GPP_SUMS8(s, 16), GPP_SUMS8(s, 24), GPP_SUMS8(s, 32),
                   GPP_SUMS8(s, 40))

}  // namespace gpp::cuda
