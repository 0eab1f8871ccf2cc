// Tests of published numbers against their sources.
#include <set>

#include "gpp/study/kernel.h"
#include "gpp/study/published.h"
#include "harness/program/source_diff.h"
#include "harness/teach/glossary.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

// ---- The published times, as they were published.

TEST(Published, SpeedupsFollowFromTheTimes) {
  EXPECT_DOUBLE_EQ(*published_v100().speedup("v1"), 1.0);
  EXPECT_DOUBLE_EQ(*published_v100().speedup("v2"), 1.63 / 1.73);
  EXPECT_DOUBLE_EQ(*published_v100().speedup("sc19_9_strided"), 1.63 / 0.57);
  for (const char* none : {"v9", "v10", "v"}) EXPECT_FALSE(published_v100().speedup(none)) << none;
}

/// Numbers of the slides' source views. A line's listed samples cannot exceed its total.
TEST(Published, LinesAreThoseOfTheSlides) {
  const auto line_at = [](const char* version, int line) {
    for (const PublishedLine& one : published_v100().lines)
      if (one.version == version && one.line == line) return one;
    return PublishedLine{};
  };
  EXPECT_EQ(line_at("v7", 313).stalls.at("wait"), 217938U);
  EXPECT_NEAR(217938.0 / double(line_at("v7", 313).samples), 0.466, 0.0005);
  EXPECT_NEAR(10739.0 / double(line_at("v8", 315).samples), 0.237, 0.0005);
  EXPECT_NEAR(double(line_at("v8", 286).stalls.at("long_scoreboard")) /
                  double(line_at("v8", 286).not_issued),
              0.939, 0.0005);
  EXPECT_NEAR(double(line_at("sc19_9_strided", 290).stalls.at("long_scoreboard")) /
                  double(line_at("sc19_9_strided", 290).not_issued),
              0.738, 0.0005);
  for (const PublishedLine& one : published_v100().lines) {
    std::uint64_t sum = 0;
    for (const auto& [reason, samples] : one.stalls) sum += samples;
    EXPECT_LE(sum, one.stalls_of == "not_issued" ? one.not_issued : one.samples) << one.source;
    EXPECT_EQ(one.stalls.empty(), one.stalls_of.empty()) << one.source;
  }
  // Eight instructions per warp, and three: results/published/README.md.
  EXPECT_EQ(line_at("v8", 286).warp_instructions, 8 * 383'472'000U);
  EXPECT_EQ(line_at("sc19_9_strided", 290).warp_instructions, 8 * 384'476'000U);
  EXPECT_EQ(line_at("v8", 315).warp_instructions, 3 * 383'472'000U);
}

// ---- The published ladders: their numbers as the sources have them, their steps as variants.

const PublishedLadder& ladder(const char* name) { return ladder_called(gpp_kernel(), name); }

/// The ids of the model's variants.
std::set<std::string> ids_of(const std::string& model) {
  std::set<std::string> ids;
  for (const Variant& variant : catalog())
    if (variant.model == model) ids.insert(variant.id);
  return ids;
}

TEST(Ladders, AreTheFourThatArePublishedAndOurs) {
  Texts names;
  for (const PublishedLadder& one : published_ladders()) names.push_back(one.name);
  EXPECT_EQ(names, (Texts{"sc19", "arxiv", "sc20", "tutorial", "between", "tried"}));
  for (const PublishedLadder& one : published_ladders())
    EXPECT_EQ(one.published(), one.name != "between" && one.name != "tried") << one.name;
  for (const auto& [name, steps] :
       {std::pair("sc19", 9), {"arxiv", 9}, {"sc20", 8}, {"tutorial", 5}})
    EXPECT_EQ(ladder(name).steps.size(), static_cast<std::size_t>(steps)) << name;
}

/// Tests the slides' times, and that gains multiply to the speedup.
TEST(Ladders, OfSc19HasTheTimesOfTheSlides) {
  const double times[] = {1.63, 1.73, 1.40, 1.17, 1.16, 1.10, 0.66, 0.62, 0.57};
  double product = 1;
  for (std::size_t i = 0; i < std::size(times); ++i) {
    const LadderStep& step = ladder("sc19").steps[i];
    EXPECT_DOUBLE_EQ(*step.seconds, times[i]) << step.label;
    EXPECT_EQ(step.gain.has_value(), i > 0);
    product *= step.gain.value_or(1);
    EXPECT_NEAR(*step.speedup, product, 1e-12) << step.label;
    EXPECT_DOUBLE_EQ(*step.speedup, *published_v100().speedup(step.variant));
  }
  EXPECT_NEAR(product, 2.86, 0.005);
}

/// v2 and v3 of SC20 each change the baseline, and v4 combines them.
TEST(Ladders, KnowWhatEachStepChanges) {
  const PublishedLadder& sc20 = ladder("sc20");
  EXPECT_EQ(sc20.changed_by(sc20.steps[0]), nullptr);
  for (const int step : {1, 2, 3})
    EXPECT_EQ(sc20.changed_by(sc20.steps[static_cast<std::size_t>(step)]), &sc20.steps[0]) << step;
  EXPECT_EQ(sc20.changed_by(sc20.steps[4]), &sc20.steps[3]);
  for (const PublishedLadder& one : published_ladders())
    for (const LadderStep& step : one.steps)
      EXPECT_EQ(one.changed_by(step) == nullptr, &step == &one.steps.front()) << step.label;
}

TEST(Ladders, EveryStepIsAVariantOfItsOwn) {
  const std::set<std::string> cuda = ids_of("cuda"), omp = ids_of("omp");
  for (const PublishedLadder& one : published_ladders()) {
    std::set<std::string> variants, labels;
    for (const LadderStep& step : one.steps) {
      EXPECT_TRUE(cuda.contains(step.variant) || (!one.published() && omp.contains(step.variant)))
          << one.name << " " << step.label;
      EXPECT_TRUE(one.name != "tutorial" || omp.contains(step.variant)) << step.label;
      EXPECT_TRUE(variants.insert(step.variant).second) << step.variant << " is two steps";
      EXPECT_TRUE(labels.insert(step.label).second) << step.label;
      EXPECT_FALSE(step.change.empty()) << step.label;
      EXPECT_LE(step.change.size(), 30u) << step.change << ": the table is wide enough";
    }
  }
}

/// variants/*/ladders contains exactly the steps that belong only to ladders.
TEST(Ladders, AreWhatTheirFoldersHold) {
  std::size_t files = 0;
  for (const Variant& variant : catalog()) {
    const bool there = variant.source.find("/ladders/") != std::string::npos;
    EXPECT_EQ(there, is_of_ladders_alone(gpp_kernel(), variant.id)) << variant.source;
    files += there ? 1 : 0;
  }
  EXPECT_GE(files, 18u);
}

/// The ids from v8 to v11, following the parents that sources name.
Texts made_one_from_another(const std::string& model) {
  Texts ids = {"v8"};
  for (const char* number : {"v9", "v10", "v11"})
    for (const Variant& step : catalog()) {
      if (step.model != model || step.id != number) continue;
      for (const FileDiff& diff : source_diff(gpp_kernel(), step))
        for (const Variant& variant : catalog())
          if (variant.source == diff.after) ids.push_back(variant.id);
    }
  return ids;
}

TEST(Ladders, BetweenIsTheWayOfTheSources) {
  for (const char* model : {"cuda", "omp"}) {
    Texts ids;
    for (const LadderStep& step : ladder("between").steps)
      for (const Variant& variant : catalog())
        if (variant.model == model && variant.id == step.variant &&
            !variant.source.ends_with(".md"))
          ids.push_back(variant.id);
    EXPECT_EQ(ids, made_one_from_another(model)) << model;
    EXPECT_GE(ids.size(), 7u);
  }
}

/// `gpp explain sc20` must show the ladder.
TEST(Ladders, HaveNamesThatMeanNothingElse) {
  for (const PublishedLadder& one : published_ladders()) {
    EXPECT_EQ(find_word(one.name), nullptr) << one.name;
    EXPECT_NE(one.name, "kernel");
    for (const Variant& variant : catalog()) {
      EXPECT_NE(variant.id, one.name);
      EXPECT_NE(variant.step, one.name);
    }
  }
}

}  // namespace
}  // namespace gpp::test
