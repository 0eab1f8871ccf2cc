// Where and when this process runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The name of this machine; "unknown" where it has none.
std::string host_name();

/// Now, in UTC: "2025-01-31T12:00:00Z".
std::string utc_now();

/// The CPUs that a process may use, by number, in order: its affinity. At least one. 0: the calling
/// thread; another that is not there any more has one CPU.
std::vector<int> allowed_cpus(int process = 0);

/// How many these are.
int available_cores();

/// Bytes this process can still take: what the kernel calls available, or less where a control
/// group limits the process.
std::int64_t available_memory();

/// Throws InputError, saying how much is needed and how much is there, when `bytes` exceeds
/// `available`. `source` names the input in the message.
void require_memory(std::int64_t bytes, std::string_view source,
                    std::int64_t available = available_memory());

}  // namespace roofline
