// The examples of FIPS 180 (NIST, "Secure Hash Standard" and its example values).
#include "data/sha256.h"

#include <gtest/gtest.h>

#include "roofline/base/error.h"
#include "tests/data/sample.h"
#include "tests/temporary_folder.h"

namespace gpp::testing {
namespace {

std::string hash(const std::string& text) {
  Sha256 sha;
  sha.add(text.data(), text.size());
  return sha.digest();
}

TEST(Sha256Test, PublishedExamples) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                 "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(hash(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, PiecesDoNotMatter) {
  const std::string text(1000, 'x');
  for (const std::size_t piece : {1u, 3u, 55u, 56u, 63u, 64u, 65u, 127u, 999u}) {
    Sha256 sha;
    for (std::size_t at = 0; at < text.size(); at += piece)
      sha.add(text.data() + at, std::min(piece, text.size() - at));
    EXPECT_EQ(sha.digest(), hash(text)) << piece;
  }
}

/// Lengths at which the padding changes from one block to two.
TEST(Sha256Test, LengthsAroundABlock) {
  EXPECT_EQ(hash(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(hash(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(hash(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Sha256Test, OfFilesAndInputs) {
  const test::TemporaryFolder folder;
  write_gpp214(folder / "sample.dat", sample_input());
  EXPECT_EQ(sha256_of_file(folder / "sample.dat"), hash(bytes_of(sample_input())));
  EXPECT_EQ(sha256_of(sample_input()), hash(bytes_of(sample_input())));
  EXPECT_THROW(sha256_of_file(folder / "missing.dat"), roofline::InputError);
  EXPECT_THROW(sha256_of_file(folder.path()), roofline::InputError);
}

}  // namespace
}  // namespace gpp::testing
