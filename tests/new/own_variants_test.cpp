// Tests of a catalog with users' variants; the program's other tests use it, too.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpp/study/kernel.h"
#include "harness/program/source_diff.h"

namespace gpp {
namespace {

const Variant* find(const std::string& model, const std::string& id) {
  const auto found = std::find_if(catalog().begin(), catalog().end(), [&](const Variant& variant) {
    return variant.model == model && variant.id == id;
  });
  return found == catalog().end() ? nullptr : &*found;
}

/// The first line of a text, with any content.
TEST(OwnVariants, AreInTheCatalogOrSayWhyNot) {
  ASSERT_NE(find("serial", "child_of_v1"), nullptr);
  ASSERT_NE(find("omp", "child_of_v8"), nullptr);
  ASSERT_NE(find("omp", "own_text"), nullptr);
  EXPECT_EQ(find("omp", "own_text")->reason, "no; not \"here\": a\\b; ever");
}

/// `gpp explain` must also show changes of the arithmetic.
TEST(OwnVariants, DifferFromTheirParentsInTheirForms) {
  const Variant* child = find("omp", "child_of_v8");
  EXPECT_EQ(predecessor(catalog(), *child), find("omp", "v8"));
  const std::vector<FileDiff> diffs = source_diff(gpp_kernel(), *child);
  ASSERT_EQ(diffs.size(), 2u);
  EXPECT_EQ(diffs[1].before, "gpp/forms/power2.h");
  EXPECT_TRUE(diffs[1].after.ends_with("variants/omp/child_of_v8.h")) << diffs[1].after;
  EXPECT_FALSE(diffs[1].lines.empty());
}

}  // namespace
}  // namespace gpp
