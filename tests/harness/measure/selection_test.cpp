// Tests which variants and builds are selected.
#include "harness/program/selection.h"

#include "roofline/base/error.h"
#include "tests/harness/fake_runtime.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

class Selection : public testing::Test {
 protected:
  void SetUp() override {
    gpu.kind = "gpu";
    catalog = {{"v1", "collapse3", "cuda", "", {{"gpu", call_of(right_sums), &gpu}}, ""},
               {"v7", "reciprocal", "cuda", "", {{"gpu", call_of(right_sums), &gpu}}, ""},
               {"v1",
                "collapse3",
                "omp",
                "",
                {{"host", call_of(right_sums), &host}, {"gpu", call_of(right_sums), &gpu}},
                ""},
               {"v7", "reciprocal", "omp", "", {{"host", call_of(right_sums), &host}}, ""},
               {"v10", "shared_memory", "omp", "", {}, "a GPU idea"}};
  }
  std::string error_of(const Wanted& wanted) {
    return thrown<roofline::InputError>([&] { select(catalog, wanted); });
  }
  FakeRuntime host;
  FakeRuntime gpu;
  std::vector<Variant> catalog;
};

TEST_F(Selection, EverythingInOrderOrByModelIdAndStep) {
  const std::vector<Choice> choices = select(catalog, {});
  ASSERT_EQ(choices.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(choices[i].variant, &catalog[i]);
  EXPECT_EQ(choices[4].build, nullptr);
  EXPECT_EQ(choices[4].reason, "a GPU idea");
  EXPECT_EQ(runtimes_of(catalog).size(), 2u);
  EXPECT_EQ(select(catalog, {{"omp"}, {}, ""}).size(), 3u);
  EXPECT_EQ(select(catalog, {{}, {"v7"}, ""}).size(), 2u);
  EXPECT_EQ(select(catalog, {{}, {"reciprocal", "v1"}, ""}).size(), 4u);
  EXPECT_EQ(select(catalog, {{"cuda"}, {"reciprocal"}, ""}).size(), 1u);
  EXPECT_EQ(select(catalog, {{"cuda", "omp"}, {"v7"}, ""}).size(), 2u);
}

TEST_F(Selection, TakesTheDeviceAskedForOrTheGpuWhereItCanBeUsed) {
  EXPECT_EQ(choose(catalog[2]).build->kind, "gpu");
  EXPECT_EQ(choose(catalog[2], "host").build->kind, "host");
  EXPECT_EQ(choose(catalog[3], "gpu").build, nullptr);
  EXPECT_TRUE(contains(choose(catalog[3], "gpu").reason, "gpu"));
  catalog[3].not_built = {{"gpu", "no clang"}};
  EXPECT_EQ(choose(catalog[3], "gpu").reason, "not built for the device 'gpu': no clang");
  EXPECT_EQ(choose(catalog[3]).build->kind, "host");
  gpu.reason = "no device";
  EXPECT_EQ(choose(catalog[2], "gpu").reason, "no device");
  EXPECT_EQ(choose(catalog[2]).build->kind, "host");
  EXPECT_EQ(choose(catalog[0]).build, nullptr);
  EXPECT_EQ(choose(catalog[0]).reason, "no device");
}

TEST_F(Selection, UnknownNamesComeWithTheKnown) {
  EXPECT_TRUE(contains(error_of({{}, {"v77"}, ""}), "did you mean 'v7'? Known: v1, collapse3, v7"));
  EXPECT_TRUE(contains(error_of({{"cuba"}, {}, ""}), "did you mean 'cuda'"));
  EXPECT_TRUE(contains(error_of({{"cuda", "om"}, {}, ""}), "did you mean 'omp'"));
  EXPECT_TRUE(contains(error_of({{"cuda"}, {"v10"}, ""}), "variant of model cuda"));
}

TEST_F(Selection, OneVariantIsTheFirstThatRuns) {
  EXPECT_EQ(select_one(catalog, "v7", {}).variant->model, "cuda");
  gpu.reason = "no device";
  EXPECT_EQ(select_one(catalog, "v7", {}).variant->model, "omp");
  const Choice none = select_one(catalog, "v7", {{"cuda"}, {}, ""});
  EXPECT_EQ(none.build, nullptr);
  EXPECT_EQ(none.reason, "no device");
}

/// The real kernel's ladders, with a catalog of some steps in another order.
class LadderSelection : public Selection {
 protected:
  void SetUp() override {
    gpu.kind = "gpu";
    for (const char* model : {"serial", "omp", "cuda"})
      for (const char* id : {"tutorial_3_reciprocal", "v2", "v1", "my_idea"}) {
        const bool cuda = std::string(model) == "cuda";
        const Build build = {cuda ? "gpu" : "host", call_of(right_sums), cuda ? &gpu : &host};
        catalog.push_back({id, id, model, "", {build}, ""});
      }
  }
  Texts names(const Wanted& wanted) {
    Texts list;
    for (const Choice& choice : select(catalog, wanted))
      list.push_back(choice.variant->model + " " + choice.variant->id);
    return list;
  }
  const PublishedLadder& tutorial = ladder_called(*kernels().front(), "tutorial");
};

TEST_F(LadderSelection, TakesTheStepsInTheLaddersOrder) {
  Wanted wanted;
  wanted.models = {"omp", "cuda"};
  wanted.ladder = &tutorial;
  EXPECT_EQ(names(wanted), (Texts{"omp v1", "omp v2", "omp tutorial_3_reciprocal", "cuda v1",
                                  "cuda v2", "cuda tutorial_3_reciprocal"}));
  wanted.models = {"omp"};
  wanted.only = {"v1", "tutorial_3_reciprocal"};
  EXPECT_EQ(names(wanted), (Texts{"omp v1", "omp tutorial_3_reciprocal"}));
  wanted.only = {"my_idea"};
  EXPECT_TRUE(contains(error_of(wanted), "unknown step of the ladder tutorial 'my_idea'"));
  wanted = {};
  wanted.models = {"omp"};
  EXPECT_EQ(names(wanted), (Texts{"omp v2", "omp v1", "omp my_idea"}));
  wanted.only = {"tutorial_3_reciprocal"};
  EXPECT_EQ(names(wanted), (Texts{"omp tutorial_3_reciprocal"}));
}

TEST_F(LadderSelection, GoesUpInTheFirstModelThatRunsHere) {
  EXPECT_EQ(model_for(tutorial, catalog, ""), "cuda");
  EXPECT_EQ(model_for(tutorial, catalog, "host"), "omp");
  gpu.reason = "no device";
  EXPECT_EQ(model_for(tutorial, catalog, ""), "omp");
  host.reason = "no host";
  EXPECT_EQ(model_for(tutorial, catalog, ""), "cuda") << "whose reason is then told";
}

}  // namespace
}  // namespace gpp::test
