#include "harness/record/secret.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "roofline/base/files.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

constexpr std::size_t key_bytes = 32;

std::string random_bytes() {
  std::string bytes(key_bytes, '\0');
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw roofline::InputError("the system gives no random numbers, so nothing can be judged");
  return bytes;
}

/// Makes the key file if it does not exist.
void make_key(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR);
  if (descriptor < 0 && errno == EEXIST) return;
  const std::string key = random_bytes();
  const bool written = descriptor >= 0 && write(descriptor, key.data(), key.size()) ==
                                              static_cast<ssize_t>(key.size());
  const int why = errno;
  if (descriptor >= 0) close(descriptor);
  if (!written)
    throw roofline::InputError(
        fmt::format("{}: no key can be written there: {}", file.string(), std::strerror(why)));
}

/// The text that a signature covers.
std::string signed_text(const StudyRecord& study) {
  StudyRecord unsigned_study = study;
  unsigned_study.judge->signature.clear();
  return roofline::written([&](roofline::Fields& field) { fields(field, unsigned_study); }).dump();
}

}  // namespace

Secret::Secret(const std::filesystem::path& file) : nonce_(random_bytes()) {
  make_key(file);
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw roofline::InputError(
        fmt::format("{}: others may read the judge's key: chmod 600 it", file.string()));
  key_ = roofline::text_of_outside_file(file);
  if (key_.size() < key_bytes)
    throw roofline::InputError(
        fmt::format("{}: a key has at least {} bytes", file.string(), key_bytes));
}

Secret::Secret() : key_(random_bytes()), nonce_(random_bytes()) {}

std::uint64_t Secret::draw(std::string_view purpose, std::uint64_t run) const {
  const std::string digest = sign(fmt::format("draw {} {} {}", purpose, run, nonce_));
  std::uint64_t number = 0;
  constexpr int digits = 16, base = 16;
  std::from_chars(digest.data(), digest.data() + digits, number, base);
  return number;
}

std::string Secret::sign(std::string_view text) const { return roofline::hmac_sha256(key_, text); }

std::string Secret::fingerprint() const {
  constexpr std::size_t enough = 16;
  return sign("fingerprint").substr(0, enough);
}

void sign(StudyRecord& study, const Secret& secret) {
  study.judge->key = secret.fingerprint();
  study.judge->signature = secret.sign(signed_text(study));
}

std::string forgery_in(const StudyRecord& study, const Secret& secret) {
  if (!study.judge) return "no judge signed it";
  if (study.judge->key != secret.fingerprint()) return "another judge's key signed it";
  if (study.judge->signature != secret.sign(signed_text(study)))
    return "it was changed after it was signed";
  return "";
}

}  // namespace gpp
