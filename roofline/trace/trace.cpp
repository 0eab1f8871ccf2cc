// The functions that instrumented code calls. Their names and arguments are the compilers': GCC's
// gcc/sanitizer.def and LLVM's ThreadSanitizer.cpp list them.
#include "roofline/trace/trace.h"

#include <memory>

// Where this program or library begins in memory; the linker knows.
extern "C" const char __ehdr_start[]  // NOLINT(bugprone-reserved-identifier,cert-dcl37-c)
    __attribute__((visibility("hidden")));

namespace roofline {
namespace {

constexpr std::uintptr_t largest_file = 1 << 28;

struct Tracer {
  explicit Tracer(const std::vector<CacheShape>& shapes) : caches(shapes) {}
  CacheModel caches;
  std::uint64_t loads = 0, stores = 0;
  std::vector<std::uint64_t> blocks;  // by distance from where the library begins
};

std::unique_ptr<Tracer> tracer;
// The thread that asked: the only one that is noted, so that nothing here needs a lock.
thread_local bool here = false;
bool elsewhere = false;
std::uintptr_t first_frame = 0;  // of the stack, about where the traced code begins
constexpr std::uintptr_t largest_stack = 8 << 20;

/// The tracer, on the thread that is traced.
Tracer* noting() {
  if (here) return tracer.get();
  if (tracer) elsewhere = true;
  return nullptr;
}

/// Local variables, arrays of them too. In the build that is timed, which has vectors, they are
/// registers for the most part.
bool is_local(std::uintptr_t address) {
  return address < first_frame && address > first_frame - largest_stack;
}

void note(const volatile void* address, std::size_t bytes, bool write) {
  Tracer* tracing = noting();
  if (tracing == nullptr || is_local(reinterpret_cast<std::uintptr_t>(address))) return;
  ++(write ? tracing->stores : tracing->loads);
  tracing->caches.access(reinterpret_cast<std::uintptr_t>(address), bytes, write);
}

/// A last block that does nothing but return may jump here instead of calling: then the place is
/// the caller's, in another file, and there is nothing to count.
void note_block(std::uintptr_t place) {
  Tracer* tracing = noting();
  const auto begin = reinterpret_cast<std::uintptr_t>(__ehdr_start);
  if (tracing == nullptr || place < begin || place - begin > largest_file) return;
  const std::uintptr_t distance = place - begin;
  if (distance >= tracing->blocks.size()) tracing->blocks.resize(distance + 4096);
  ++tracing->blocks[distance];
}

}  // namespace

void begin_trace(const std::vector<CacheShape>& caches) {
  tracer = std::make_unique<Tracer>(caches);
  elsewhere = false;
  first_frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + 256;
  here = true;
}

Trace end_trace() {
  here = false;
  Trace trace;
  if (!tracer) return trace;
  tracer->caches.write_back();
  trace.loads = tracer->loads;
  trace.stores = tracer->stores;
  trace.l1_bytes = tracer->caches.moved();
  for (std::size_t level = 0; level < tracer->caches.levels(); ++level)
    trace.bytes_behind.push_back(tracer->caches.moved_behind(level));
  for (std::size_t distance = 0; distance < tracer->blocks.size(); ++distance)
    if (tracer->blocks[distance] > 0) trace.blocks[distance] = tracer->blocks[distance];
  trace.other_threads = elsewhere;
  tracer.reset();
  return trace;
}

}  // namespace roofline

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {

void __sanitizer_cov_trace_pc() {
  roofline::note_block(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void __tsan_init() {}
void __tsan_func_entry(void* /*caller*/) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** /*pointer*/, void* /*value*/) {}
void __tsan_vptr_read(void** /*pointer*/) {}

#define NOTE_ACCESS(bytes)                                                                    \
  void __tsan_read##bytes(void* address) { roofline::note(address, bytes, false); }           \
  void __tsan_write##bytes(void* address) { roofline::note(address, bytes, true); }           \
  void __tsan_unaligned_read##bytes(void* address) { roofline::note(address, bytes, false); } \
  void __tsan_unaligned_write##bytes(void* address) { roofline::note(address, bytes, true); } \
  void __tsan_read_write##bytes(void* address) {                                              \
    roofline::note(address, bytes, false);                                                    \
    roofline::note(address, bytes, true);                                                     \
  }
NOTE_ACCESS(1)
NOTE_ACCESS(2)
NOTE_ACCESS(4)
NOTE_ACCESS(8)
NOTE_ACCESS(16)
#undef NOTE_ACCESS

void __tsan_read_range(void* address, unsigned long bytes) {
  roofline::note(address, bytes, false);
}
void __tsan_write_range(void* address, unsigned long bytes) {
  roofline::note(address, bytes, true);
}

void* __tsan_memcpy(void* to, const void* from, unsigned long bytes) {
  roofline::note(from, bytes, false);
  roofline::note(to, bytes, true);
  return __builtin_memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, unsigned long bytes) {
  roofline::note(from, bytes, false);
  roofline::note(to, bytes, true);
  return __builtin_memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, unsigned long bytes) {
  roofline::note(to, bytes, true);
  return __builtin_memset(to, value, bytes);
}

// Atomic operations: done in the strictest order, whatever the code asks for.
#define NOTE_FETCH(bits, type, name, operation)                                     \
  type __tsan_atomic##bits##_##name(volatile type* at, type value, int /*order*/) { \
    roofline::note(at, sizeof(type), true);                                         \
    return operation(at, value, __ATOMIC_SEQ_CST);                                  \
  }
#define NOTE_ATOMICS(bits, type)                                                                   \
  type __tsan_atomic##bits##_load(const volatile type* at, int /*order*/) {                        \
    roofline::note(at, sizeof(type), false);                                                       \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile type* at, type value, int /*order*/) {                 \
    roofline::note(at, sizeof(type), true);                                                        \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                \
  NOTE_FETCH(bits, type, exchange, __atomic_exchange_n)                                            \
  NOTE_FETCH(bits, type, fetch_add, __atomic_fetch_add)                                            \
  NOTE_FETCH(bits, type, fetch_sub, __atomic_fetch_sub)                                            \
  NOTE_FETCH(bits, type, fetch_and, __atomic_fetch_and)                                            \
  NOTE_FETCH(bits, type, fetch_or, __atomic_fetch_or)                                              \
  NOTE_FETCH(bits, type, fetch_xor, __atomic_fetch_xor)                                            \
  NOTE_FETCH(bits, type, fetch_nand, __atomic_fetch_nand)                                          \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type* at, type* expected, type value, \
                                                    int /*order*/, int /*otherwise*/) {            \
    roofline::note(at, sizeof(type), true);                                                        \
    return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST,               \
                                       __ATOMIC_SEQ_CST);                                          \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type* at, type* expected, type value,   \
                                                  int order, int otherwise) {                      \
    return __tsan_atomic##bits##_compare_exchange_strong(at, expected, value, order, otherwise);   \
  }                                                                                                \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* at, type expected, type value,    \
                                                  int order, int otherwise) {                      \
    __tsan_atomic##bits##_compare_exchange_strong(at, &expected, value, order, otherwise);         \
    return expected;                                                                               \
  }
NOTE_ATOMICS(8, unsigned char)
NOTE_ATOMICS(16, unsigned short)
NOTE_ATOMICS(32, unsigned int)
NOTE_ATOMICS(64, unsigned long)
#undef NOTE_ATOMICS
#undef NOTE_FETCH

void __tsan_atomic_thread_fence(int /*order*/) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int /*order*/) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
