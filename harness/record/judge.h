// What a referee adds to a record (gpp judge): who was judged, what held the submission in, and a
// signature that tells whether anybody changed the record since.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/record/fields.h"

namespace gpp {

struct StudyRecord;

/// Something that keeps a submission from what it must not do.
struct JudgeLayer {
  std::string name;    ///< "seccomp"
  std::string lacked;  ///< why it was not in force; empty where it held
};

struct JudgeRecord {
  std::string team;
  std::string source_sha256 = {};   ///< of the submission's file; empty for a step of the tree
  std::string library_sha256 = {};  ///< of what the compiler made of it
  std::vector<JudgeLayer> layers = {};
  double round_trip_seconds = 0;  ///< of an empty variant by the referee's clock: in every time
  int problems_per_go = 1;        ///< drawn before a "go"; a time is the total over them
  std::string key = {};           ///< the fingerprint of the judge's
  std::string signature = {};     ///< over the rest of the record

  /// The first layer that was not in force, and why; empty where all held.
  std::string lacks() const;
};
void fields(roofline::Fields& field, JudgeRecord& judge);

void fields(roofline::Fields& field, JudgeLayer& layer);

/// The secret of a judge: it makes draws that nobody can foresee, and it signs.
class Secret {
 public:
  /// The key in a file that only its owner may read; makes one where there is no file. Throws
  /// InputError.
  explicit Secret(const std::filesystem::path& file);
  /// A key for once: nobody can check its signatures.
  Secret();

  /// Another number for each purpose and run, and for each object of one key.
  std::uint64_t draw(std::string_view purpose, std::uint64_t run) const;
  std::string sign(std::string_view text) const;
  /// Tells keys apart, and tells nothing of them.
  std::string fingerprint() const;

 private:
  std::string key_, nonce_;
};

/// Signs the record, which has a JudgeRecord.
void sign(StudyRecord& study, const Secret& secret);

/// Why the record is not what the judge with this key signed; empty where it is.
std::string forgery_in(const StudyRecord& study, const Secret& secret);

}  // namespace gpp
