#include "data/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>

#include "data/error.h"
#include "data/gpp214_records.h"
#include "data/saturating.h"
#include "gpp/sums.h"

namespace gpp {
namespace {

/// The integer that follows `key` in a file of "key value" lines.
std::optional<std::int64_t> value_in(const std::string& file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string word; stream >> word;) {
    std::int64_t value = 0;
    if (word == key && stream >> value) return value;
  }
  return {};
}

/// A file that holds one integer; nothing where it holds a word, as "max" for no limit.
std::optional<std::int64_t> value_of(const std::string& file) {
  std::ifstream stream(file);
  std::int64_t value = 0;
  if (stream >> value) return value;
  return {};
}

/// What a control group leaves: its limit less what is used, not counting the page cache.
std::optional<std::int64_t> left_in_group(const std::string& limit_file,
                                          const std::string& usage_file,
                                          const std::string& statistics_file) {
  const auto limit = value_of(limit_file);
  const auto usage = value_of(usage_file);
  if (!limit || !usage) return {};
  const std::int64_t cache = value_in(statistics_file, "inactive_file").value_or(0) +
                             value_in(statistics_file, "active_file").value_or(0);
  return std::max<std::int64_t>(0, *limit - std::max<std::int64_t>(0, *usage - cache));
}

/// What a PreparedProblem adds to its input: the gathered columns, twice, and small arrays.
std::int64_t prepared_bytes(const Input& dimensions) {
  const std::int64_t nbands = dimensions.peinf_ntband_dist;
  const std::int64_t ngpown = dimensions.ngpown;
  const std::int64_t gathered =
      saturating_product(2 * sizeof(Complex), saturating_product(ngpown, nbands));
  const std::int64_t per_band = (2 * max_frequencies + 1) * sizeof(double) + sizeof(int);
  return saturating_sum(gathered, nbands * per_band + ngpown * std::int64_t{sizeof(double)});
}

/// The copy that a host's variants work on: poles, bands, and what is gathered.
std::int64_t placed_bytes(const Input& dimensions) {
  const std::int64_t ncouls = dimensions.ncouls;
  const std::int64_t poles =
      saturating_product(2 * sizeof(Complex), saturating_product(ncouls, dimensions.ngpown));
  const std::int64_t bands =
      saturating_product(sizeof(Complex), saturating_product(ncouls, dimensions.peinf_ntband_dist));
  return saturating_sum(saturating_sum(poles, bands), prepared_bytes(dimensions));
}

template <class Item>
std::int64_t array_bytes(const Item&) {
  return 0;
}
template <class Vector>
std::int64_t array_bytes(const ArrayItem<Vector>& item) {
  return bytes_of_item(item);
}

}  // namespace

std::int64_t memory_estimate(const Input& dimensions) {
  std::int64_t bytes = saturating_sum(sizeof(Input), prepared_bytes(dimensions));
  bytes = saturating_sum(bytes, placed_bytes(dimensions));
  for_each_record(dimensions, [&bytes](const Record&, auto&&... items) {
    ((bytes = saturating_sum(bytes, array_bytes(items))), ...);
  });
  return bytes;
}

std::int64_t available_memory() {
  std::int64_t available = std::numeric_limits<std::int64_t>::max();
  if (const auto kilobytes = value_in("/proc/meminfo", "MemAvailable:"))
    available = *kilobytes * 1024;
  const std::string group = "/sys/fs/cgroup/";
  const auto version2 =
      left_in_group(group + "memory.max", group + "memory.current", group + "memory.stat");
  const auto version1 =
      left_in_group(group + "memory/memory.limit_in_bytes", group + "memory/memory.usage_in_bytes",
                    group + "memory/memory.stat");
  return std::min({available, version2.value_or(available), version1.value_or(available)});
}

void require_memory(std::int64_t bytes, std::string_view source, std::int64_t available) {
  if (bytes <= available) return;
  throw InputError(
      fmt::format("{}: computing it needs {} of memory, but {} are available. Free "
                  "some, use a machine with more, or use a smaller input.",
                  source, describe_bytes(bytes), describe_bytes(available)));
}

std::string describe_bytes(std::int64_t bytes) {
  constexpr std::array<const char*, 7> units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 999.5 && unit + 1 < units.size(); ++unit) size /= 1000;
  if (unit == 0) return fmt::format("{} B", bytes);
  return size < 9.95 ? fmt::format("{:.1f} {}", size, units[unit])
                     : fmt::format("{:.0f} {}", size, units[unit]);
}

}  // namespace gpp
