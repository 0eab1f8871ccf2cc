// Tests of the catalog made from the files in variants/.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "gpp/study/kernel.h"

namespace gpp::test {
namespace {

std::vector<Variant> of_model(const std::string& model) {
  std::vector<Variant> some;
  for (const Variant& variant : catalog())
    if (variant.model == model) some.push_back(variant);
  return some;
}

TEST(Catalog, HoldsTheWholeLadderOnTheHost) {
  const std::vector<std::string> steps = {
      "collapse3", "collapse2",  "block512", "iw_outside",     "swap_indices",
      "simplify",  "reciprocal", "power2",   "cache_blocking", "shared_memory",
      "factored",  "real_poles", "moments",  "integers"};
  const std::set<std::string> of_gpus = {"shared_memory", "moments", "integers"};
  const std::vector<Variant> variants = of_model("omp");  // plus any added variants
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string id = std::string("v").append(std::to_string(i + 1));
    const auto variant = std::find_if(variants.begin(), variants.end(),
                                      [&id](const Variant& one) { return one.id == id; });
    ASSERT_NE(variant, variants.end()) << id;
    EXPECT_EQ(variant->step, steps[i]);
    EXPECT_EQ(variant->builds.empty(), of_gpus.count(steps[i]) == 1) << steps[i];
  }
}

/// Each file states its operations; users' variants need not.
TEST(Catalog, KnowsEachVariantOnceWithItsFileReasonAndBuilds) {
  int told = 0;
  for (const Variant& variant : catalog()) {
    SCOPED_TRACE(variant.source);
    EXPECT_EQ(variant.builds.empty(), !variant.reason.empty()) << variant.reason;
    for (const Build& build : variant.builds) {
      EXPECT_TRUE(build.call);
      EXPECT_NE(build.runtime, nullptr);
      EXPECT_TRUE(build.kind == "host" || build.kind == "gpu") << build.kind;
    }
    std::ifstream stream(std::filesystem::path(GPP_SOURCE_DIR) / variant.source);
    EXPECT_TRUE(stream);
    std::string expected;
    for (std::string line; std::getline(stream, line);)
      if (line.starts_with("// Operations: ")) expected = line.substr(15, line.size() - 16);
    EXPECT_EQ(variant.operations, expected);
    told += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(told, 30);
  std::set<std::string> seen;
  for (const Variant& variant : catalog()) {
    EXPECT_TRUE(seen.insert(variant.model + " " + variant.id).second) << variant.id;
    if (variant.step == variant.id) continue;  // a user's variant
    EXPECT_TRUE(seen.insert(variant.model + " " + variant.step).second) << variant.step;
  }
}

}  // namespace
}  // namespace gpp::test
