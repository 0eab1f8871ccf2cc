// The part of a record that `gpp judge` adds: the submission, the protection layers that confined
// it, and a signature that detects later changes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/record/fields.h"

namespace gpp {

struct StudyRecord;

/// A protection layer that confines a submission.
struct JudgeLayer {
  std::string name;    ///< "seccomp"
  std::string lacked;  ///< reason why it was not active; empty if it was
};

struct JudgeRecord {
  std::string team;
  std::string source_sha256 = {};   ///< hash of the submission; empty for a step of the tree
  std::string library_sha256 = {};  ///< hash of the compiled library
  std::vector<JudgeLayer> layers = {};
  double round_trip_seconds = 0;  ///< time of an empty variant, included in every time
  int problems_per_go = 1;        ///< problems per "go"; a time is the total over them
  std::string key = {};           ///< fingerprint of the judge's key
  std::string signature = {};     ///< signature of the rest of the record

  /// The first inactive layer and the reason; empty if all were active.
  std::string lacks() const;
};
void fields(roofline::Fields& field, JudgeRecord& judge);

void fields(roofline::Fields& field, JudgeLayer& layer);

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
