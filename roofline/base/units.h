// Numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace roofline {

/// A time with a unit that suits it: "812.4 ms", "1.630 s", "25.10 us".
std::string describe_seconds(double seconds);

/// Four significant digits with the power of ten that suits it, as in "2.454e+10" for large
/// numbers and "123.4" for small ones.
std::string describe_count(double count);

/// A rate with four digits and the decimal prefix that suits it: "33.43 TFLOP/s", "4.310 TB/s".
std::string describe_rate(double rate, std::string_view unit);

/// A size in decimal units: "85 kB", "7.7 MB", "912 MB".
std::string describe_bytes(std::int64_t bytes);

/// A working set with the binary prefix that suits it, as caches are counted: "48 KiB", "2.38 MiB".
std::string describe_working_set(double bytes);

/// "1 core", "16 cores".
std::string describe_cores(int cores);

}  // namespace roofline
