#include "roofline/base/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <tuple>
#include <vector>

#include "roofline/base/text.h"

namespace roofline {
namespace {

constexpr std::size_t block_bytes = 64;

/// FIPS 180-4, section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the
/// first 64 primes.
constexpr std::array<std::uint32_t, 64> K = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

/// Section 6.2.2.
void Sha256::compress() {
  std::array<std::uint32_t, 64> w;  // the message schedule
  std::memcpy(w.data(), pending_.data(), block_bytes);
  static_assert(std::endian::native == std::endian::little);  // the block's words are big-endian
  for (std::size_t t = 0; t < 16; ++t) w[t] = __builtin_bswap32(w[t]);
#pragma GCC unroll 48
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = state_;
#pragma GCC unroll 64
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + K[t] + w[t];
    const std::uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
    std::tie(a, b, c, d, e, f, g, h) = std::tuple(t1 + t2, a, b, c, d + t1, e, f, g);
  }
  const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] += added[i];
}

void Sha256::add(const void* bytes, std::size_t count) {
  const auto* from = static_cast<const unsigned char*>(bytes);
  while (count > 0) {
    const std::size_t filled = total_bytes_ % block_bytes;
    const std::size_t piece = std::min(count, block_bytes - filled);
    std::memcpy(pending_.data() + filled, from, piece);
    if (filled + piece == block_bytes) compress();
    total_bytes_ += piece;
    from += piece;
    count -= piece;
  }
}

/// Section 5.1.1: padding with a bit 1, zeros, and the length in bits completes the last block.
Sha256::Bytes Sha256::bytes() {
  const std::uint64_t bits = 8 * total_bytes_;
  std::array<unsigned char, 2 * block_bytes> padding{0x80};
  const std::size_t zeros = (2 * block_bytes - 9 - total_bytes_ % block_bytes) % block_bytes;
  for (std::size_t i = 0; i < 8; ++i)
    padding[1 + zeros + i] = static_cast<unsigned char>(bits >> (56 - 8 * i));
  add(padding.data(), 1 + zeros + 8);
  Bytes bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return bytes;
}

std::string Sha256::digest() {
  std::string text;
  for (const unsigned char byte : bytes()) text += fmt::format("{:02x}", byte);
  return text;
}

std::string sha256_of_file(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  Sha256 hash;
  std::vector<char> piece(1 << 20);
  const auto read = [&] {
    stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    return static_cast<std::size_t>(stream.gcount());
  };
  for (std::size_t count = read(); count > 0; count = read()) hash.add(piece.data(), count);
  if (!stream.eof() || stream.bad())
    refuse_file(path.string(), fmt::format("it cannot be read: {}. Check the path and its "
                                           "permissions.",
                                           std::strerror(errno)));
  return hash.digest();
}

std::string sha256_of(std::string_view text) {
  Sha256 hash;
  hash.add(text.data(), text.size());
  return hash.digest();
}

std::string hmac_sha256(std::string_view key, std::string_view text) {
  std::array<unsigned char, block_bytes> padded{};
  if (key.size() > block_bytes) {
    Sha256 of_key;
    of_key.add(key.data(), key.size());
    std::ranges::copy(of_key.bytes(), padded.begin());
  } else {
    std::ranges::copy(key, padded.begin());
  }
  const auto hash = [&padded](unsigned char mask, const void* bytes, std::size_t count) {
    std::array<unsigned char, block_bytes> masked = padded;
    for (unsigned char& byte : masked) byte ^= mask;
    Sha256 one;
    one.add(masked.data(), masked.size());
    one.add(bytes, count);
    return one;
  };
  const Sha256::Bytes within = hash(0x36, text.data(), text.size()).bytes();
  return hash(0x5c, within.data(), within.size()).digest();
}

}  // namespace roofline
