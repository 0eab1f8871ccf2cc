// Reading JSON with messages for people: where in the file, and what is wrong there.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gpp/complex.h"

namespace gpp {

/// A place in a record. Knows its path for messages. Every reader throws InputError.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, std::string path, std::string_view source)
      : value_(value), path_(std::move(path)), source_(source) {}

  JsonPlace operator[](const char* key) const;
  /// An object that has this key: written by a program that knew it.
  bool has(const char* key) const { return value_.is_object() && value_.contains(key); }
  std::vector<JsonPlace> elements() const;
  std::vector<std::string> keys() const;
  bool is_null() const { return value_.is_null(); }

  std::string text() const;
  bool truth() const;
  long long integer() const;
  int small_integer() const;
  /// null stands for what was not a finite number.
  double real() const;
  std::vector<double> reals() const;
  std::map<std::string, std::string> texts() const;
  std::map<std::string, double> named_reals() const;
  /// [[re, im], ...]; returns how many there were, at most 3.
  int complex_numbers(Complex* values) const;

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  const nlohmann::json& value_;
  std::string path_;
  std::string_view source_;
};

/// A finite number, or null.
nlohmann::ordered_json json_number(double value);

}  // namespace gpp
