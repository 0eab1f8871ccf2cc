// Reads JSON; error messages name the place in the file and the mistake.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/bounds.h"

namespace roofline {

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

  /// A text made printable: roofline/base/visible.h.
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

/// A copy of the JSON with all its texts and keys made printable: roofline/base/visible.h.
nlohmann::ordered_json with_visible_texts(const nlohmann::ordered_json& json);

}  // namespace roofline
