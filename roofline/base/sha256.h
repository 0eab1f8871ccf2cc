// SHA-256 (FIPS 180-4), which identifies inputs and sources in records, and signatures with a
// shared key (HMAC: FIPS 198-1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace roofline {

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

}  // namespace roofline
