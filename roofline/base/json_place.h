// Reads JSON; error messages name the place in the file and the mistake.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Limits of the numbers in a record. They are wide: no machine comes near them. Beyond them,
/// derived values would not be finite and drawings would not end.
struct Bounds {
  double low = 0;
  double high = 0;

  bool hold(double value) const { return value >= low && value <= high; }
};

namespace bounds {
inline constexpr Bounds finite{-1.7e308, 1.7e308};
inline constexpr Bounds not_negative{0, 1.7e308};
inline constexpr Bounds run_seconds{1e-9, 1e7};     ///< duration of a timed run
inline constexpr Bounds launch_seconds{1e-12, 10};  ///< duration of one launch
inline constexpr Bounds seconds{0, 1e9};
inline constexpr Bounds clock_mhz{0, 1e6};
inline constexpr Bounds count{0, 1e24};  ///< number of events, operations or bytes
inline constexpr Bounds metric{-1e24, 1e24};
inline constexpr Bounds share{0, 1};
inline constexpr Bounds scale{0, 1e12};
inline constexpr Bounds roof{1e3, 1e18};  ///< a roof in FLOP/s or B/s
inline constexpr Bounds sweep{0, 1e18};   ///< a point of a sweep, bytes or B/s

inline constexpr long long small = 1'000'000;                  ///< small counts, such as of cores
inline constexpr long long large = 1'000'000'000'000'000'000;  ///< bytes, blocks, terms
inline constexpr std::size_t list = 1'000'000;                 ///< elements of any list
inline constexpr std::size_t results = 1'000;                  ///< results drawn side by side
inline constexpr std::size_t ceilings = 100;
inline constexpr std::size_t name_length = 200;
inline constexpr std::size_t text_length = 100'000;
}  // namespace bounds

/// A value in a JSON document, and its path for messages. All reading functions throw InputError:
/// "results/x/study.json: results[3].time_s: not an object".
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, std::string path, std::string_view source)
      : value_(value), path_(std::move(path)), source_(source) {}

  JsonPlace operator[](const char* key) const;
  bool has(const char* key) const;
  void require_object() const;
  /// The length of a list.
  std::size_t size(std::size_t most = bounds::list) const;
  JsonPlace element(std::size_t i) const;
  std::vector<JsonPlace> elements(std::size_t most = bounds::list) const;
  std::vector<std::string> keys() const;
  bool is_null() const;
  bool is_empty_object() const;

  /// A text made printable: roofline/base/text.h.
  std::string text(std::size_t longest = bounds::text_length) const;
  std::string text_as_it_is(std::size_t longest = bounds::text_length) const;
  /// A name for programs, such as "v7", "omp", "dram": letters, digits, '_', '-', '.'.
  std::string name() const;
  std::string name_or_empty() const;
  bool truth() const;
  long long integer(long long low, long long high) const;
  int small_integer(int low = 0, int high = bounds::small) const;
  double real(const Bounds& bounds) const;
  /// null represents a number that was not finite; it is read as infinity.
  double real_or_null(const Bounds& bounds) const;

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  const nlohmann::json& value_;
  std::string path_;
  std::string_view source_;
};

/// Writes a finite number, or null for others.
nlohmann::ordered_json json_number(double value);
nlohmann::ordered_json json_number(std::optional<double> value);

/// A copy of the JSON with all its texts and keys made printable: roofline/base/text.h.
nlohmann::ordered_json with_visible_texts(const nlohmann::ordered_json& json);

}  // namespace roofline
