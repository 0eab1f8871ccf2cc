#include "data/sha256.h"

#include <ostream>
#include <streambuf>

#include "data/gpp214.h"

namespace gpp {
namespace {

/// A stream that hashes all bytes written to it.
class HashingBuffer : public std::streambuf {
 public:
  explicit HashingBuffer(Sha256& hash) : hash_(hash) {}

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    hash_.add(bytes, static_cast<std::size_t>(count));
    return count;
  }
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    hash_.add(&byte, 1);
    return traits_type::not_eof(c);
  }

 private:
  Sha256& hash_;
};

}  // namespace

std::string sha256_of(const Input& input) {
  Sha256 hash;
  HashingBuffer buffer(hash);
  std::ostream stream(&buffer);
  write_gpp214(stream, input);
  return hash.digest();
}

}  // namespace gpp
