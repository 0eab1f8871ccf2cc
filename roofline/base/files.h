// Files: those of unknown origin are read, with sizes checked first, so that none can block a
// program or fill the memory; files are written atomically, so that they are either complete or
// absent; locks between processes, and turns on a GPU, which are such locks; and SHA-256 (FIPS
// 180-4), which identifies inputs and sources in records, and signatures with a shared key (HMAC:
// FIPS 198-1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace roofline {

/// The maximum size of a record, a profile, or a file of roofs.
inline constexpr std::uintmax_t most_record_bytes = std::uintmax_t{64} << 20;

/// The text of a regular, non-empty file of at most this size. Pipes and devices are refused
/// without waiting for them. Throws InputError with the file's name.
std::string text_of_outside_file(const std::filesystem::path& file,
                                 std::uintmax_t most = most_record_bytes);

/// Throws InputError if JSON is nested too deeply (64 levels) or has too many values (4 million),
/// which would take far more memory than the text. The JSON need not be valid.
void require_bounded_json(std::string_view text, std::string_view source);

/// Parses JSON of bounded size. Throws InputError with the place of the fault and the remedy: "F:
/// not JSON or cut off after byte 12; import it anew".
nlohmann::json json_in(std::string_view text, std::string_view source, std::string_view remedy);

/// Calls `write` with a stream to a temporary file in the folder of `path`, and renames it to
/// `path` when everything is on disk. An existing file is unchanged until then; a link is replaced,
/// and its target unchanged. The temporary file is always new, has an unpredictable name, and is
/// removed if not renamed. Throws InputError if the file cannot be written; exceptions of `write`
/// pass through.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(std::ostream&)>& write);

/// Replaces the file by this text.
void write_whole(const std::filesystem::path& path, std::string_view text);

/// The hash of bytes that arrive in pieces.
class Sha256 {
 public:
  using Bytes = std::array<unsigned char, 32>;

  void add(const void* bytes, std::size_t count);
  /// The hash of all added bytes. Call one of these two functions once, at the end.
  Bytes bytes();
  std::string digest();  ///< the hash as 64 hexadecimal digits

 private:
  void compress();

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};  // bytes of the incomplete block
  std::uint64_t total_bytes_ = 0;
};

/// The hash of a file. Throws InputError if it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

std::string sha256_of(std::string_view text);

/// The signature of a text with a key, as 64 hexadecimal digits.
std::string hmac_sha256(std::string_view key, std::string_view text);

/// Held until it is released or this object or the process ends, in whatever way. The file is then
/// removed, unless another user made it in a shared folder. A process that opened it meanwhile
/// finds another file with that name, or none, and tries again.
class FileLock {
 public:
  FileLock() = default;
  ~FileLock() { release(); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Takes the lock, waiting up to `seconds`. Returns false with an empty `why` if another process
  /// holds it longer, and with a reason if the file cannot be made.
  bool take(const std::filesystem::path& file, double seconds, std::string& why);
  void release();

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

/// The default time in seconds that a command waits for its turn.
inline constexpr double longest_wait_for_turn = 600;

/// The turn to measure on one GPU, whoever starts the programs; held until this object or the
/// process ends.
class DeviceTurn {
 public:
  /// Takes the turn on the GPU with that bus address. Waits up to `seconds`, which `tell` is told.
  /// Throws InputError after the wait. If no lock can be made, there are no turns, and `tell` gets
  /// the reason. A child process of the turn's holder does not wait.
  DeviceTurn(std::string bus_place, double seconds,
             const std::function<void(const std::string&)>& tell,
             const std::filesystem::path& folder = "/tmp");
  ~DeviceTurn();
  DeviceTurn(const DeviceTurn&) = delete;
  DeviceTurn& operator=(const DeviceTurn&) = delete;

 private:
  FileLock lock_;
  std::optional<std::string> told_;  // earlier value of the variable for child processes
};

}  // namespace roofline
