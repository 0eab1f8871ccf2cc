// Included in front of every source that GCC instruments (cmake/Traced.cmake). The thread sanitizer
// leaves copies and fills to its library, which takes the place of memcpy and its kin; GCC writes
// many of them out as moves that nobody is told of. Here each one is a call that trace.cpp notes.
#pragma once

#undef _FORTIFY_SOURCE  // its memcpy is another one, and written out where it is called

extern "C" {
void* memcpy(void* to, const void* from, unsigned long bytes) noexcept __asm__("__tsan_memcpy");
void* memmove(void* to, const void* from, unsigned long bytes) noexcept __asm__("__tsan_memmove");
void* memset(void* to, int value, unsigned long bytes) noexcept __asm__("__tsan_memset");
}

// Functions that the library's std::copy and std::fill call.
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
