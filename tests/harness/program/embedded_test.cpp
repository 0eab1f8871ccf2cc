// The files in the program are those of the repository.
#include "harness/program/embedded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gpp/study/kernel.h"
#include "gpp/variant.h"

namespace gpp {
namespace {

void expect_as_on_disk(std::span<const embedded::File> files) {
  for (const embedded::File& file : files) {
    std::ifstream stream(std::filesystem::path(GPP_SOURCE_DIR) / file.path, std::ios::binary);
    ASSERT_TRUE(stream) << file.path;
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), file.text) << file.path;
  }
}

TEST(Embedded, FilesAreThereByteByByte) { expect_as_on_disk(embedded::sources()); }

TEST(Embedded, HoldsTheSourceOfEveryVariant) {
  for (const Variant& variant : catalog()) {
    const auto is_it = [&](const embedded::File& file) { return file.path == variant.source; };
    const auto files = embedded::sources();
    EXPECT_EQ(std::count_if(files.begin(), files.end(), is_it),
              variant.source.ends_with(".md") ? 0 : 1)
        << variant.source;
  }
}

/// Lines that a variant inlined are told with their text where no source tree is, too.
TEST(Embedded, HoldsWhatVariantsInline) {
  const auto files = embedded::sources();
  for (const char* path : {"gpp/array.h", "gpp/complex.h", "gpp/forms/divide.h"})
    EXPECT_EQ(std::count_if(files.begin(), files.end(),
                            [path](const embedded::File& file) { return file.path == path; }),
              1)
        << path;
}

}  // namespace
}  // namespace gpp
