// The judge's key, and the signature of a record that detects later changes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "harness/record/record.h"

namespace gpp {

/// A judge's secret key. It produces unforeseeable draws and signatures.
class Secret {
 public:
  /// Reads the key from a file that only its owner may read; makes the file if it is missing.
  /// Throws InputError.
  explicit Secret(const std::filesystem::path& file);
  /// Makes a temporary key, whose signatures nobody can check.
  Secret();

  /// Returns a different number for each purpose, run and object, even with equal keys.
  std::uint64_t draw(std::string_view purpose, std::uint64_t run) const;
  std::string sign(std::string_view text) const;
  /// Identifies the key without revealing it.
  std::string fingerprint() const;

 private:
  std::string key_, nonce_;
};

/// Signs a record that has a JudgeRecord.
void sign(StudyRecord& study, const Secret& secret);

/// Explains why the record differs from what the judge with this key signed; else "".
std::string forgery_in(const StudyRecord& study, const Secret& secret);

}  // namespace gpp
