// The loop whose counts are known on processors.
#pragma once

namespace roofline::known {

/// y += a x over arrays that no cache holds, again and again on one core: what known_host_daxpy of
/// host_kernels() tells. Takes a GiB, and some seconds on a quiet machine.
void run_host_daxpy();

}  // namespace roofline::known
