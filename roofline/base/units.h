// Formats numbers with units, for all texts. Tables have four digits of times and rates, charts
// three.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace roofline {

/// The text for unknown values.
inline constexpr const char* unknown_text = "-";

/// A time with a suitable unit: "812.4 ms", "1.630 s", "25.10 us".
std::string describe_seconds(double seconds);

/// A rate with four digits and a suitable decimal prefix: "33.43 TFLOP/s", "4.310 TB/s".
std::string describe_rate(double rate, std::string_view unit);

/// Three digits and a decimal prefix, for charts: "33.1 TFLOP/s", "24.4 ms", "8.10 GB".
std::string with_prefix(double value, std::string_view unit);

/// A round value on an axis: "200 GFLOP/s", "20 T".
std::string round_with_prefix(double value, std::string_view unit);

/// A size in decimal units: "85 kB", "7.7 MB", "912 MB".
std::string describe_bytes(std::int64_t bytes);

/// A working set with a suitable binary prefix, as usual for caches: "48 KiB", "2.38 MiB".
std::string describe_working_set(double bytes);

/// "1 core", "16 cores".
std::string describe_cores(int cores);

/// "12.3%".
std::string percent_text(double percent, int decimals = 1);

/// A ratio: "2.47x".
std::string times_text(double factor);

/// Three significant digits: "0.123", "12.3", "1.23e+06".
std::string short_number(double value);

/// "768,952,000".
std::string with_commas(std::uint64_t number);

}  // namespace roofline
