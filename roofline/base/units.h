// Numbers for people: the one place that decides how a value and its unit are written. Tables have
// four digits of times and rates, charts three.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace roofline {

/// Stands where nothing is known.
inline constexpr const char* unknown_text = "-";

/// A time with a unit that suits it: "812.4 ms", "1.630 s", "25.10 us".
std::string describe_seconds(double seconds);

/// A rate with four digits and the decimal prefix that suits it: "33.43 TFLOP/s", "4.310 TB/s".
std::string describe_rate(double rate, std::string_view unit);

/// Three digits and a decimal prefix, as charts name values: "33.1 TFLOP/s", "24.4 ms", "8.10 GB".
std::string with_prefix(double value, std::string_view unit);

/// Writes round values as axes have them: "200 GFLOP/s", "20 T".
std::string round_with_prefix(double value, std::string_view unit);

/// A size in decimal units: "85 kB", "7.7 MB", "912 MB".
std::string describe_bytes(std::int64_t bytes);

/// A working set with the binary prefix that suits it, as caches are counted: "48 KiB", "2.38 MiB".
std::string describe_working_set(double bytes);

/// "1 core", "16 cores".
std::string describe_cores(int cores);

/// "12.3%".
std::string percent_text(double percent, int decimals = 1);

/// How many times as much: "2.47x".
std::string times_text(double factor);

/// Three significant digits: "0.123", "12.3", "1.23e+06".
std::string short_number(double value);

/// "768,952,000".
std::string with_commas(std::uint64_t number);

/// The value of a metric in its unit, as roofline/models names units: those of unit "1" are shares
/// of a whole, and a value in "warp instruction" reads "3.2 warp instructions".
std::string metric_text(double value, std::string_view unit);

}  // namespace roofline
