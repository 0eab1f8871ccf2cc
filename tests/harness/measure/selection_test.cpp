// Tests which variants and builds are selected, and that calls of variants check their types.
#include <set>

#include "gpp/study/kernel.h"
#include "harness/program/selection.h"
#include "harness/variant.h"
#include "tests/harness/fake_runtime.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

class Selection : public testing::Test {
 protected:
  void SetUp() override {
    gpu.kind = "gpu";
    add("v1", "collapse3", "cuda", {&gpu});
    add("v7", "reciprocal", "cuda", {&gpu});
    add("v1", "collapse3", "omp", {&host, &gpu});
    add("v7", "reciprocal", "omp", {&host});
    add("v10", "shared_memory", "omp", {});
    catalog.back().reason = "a GPU idea";
  }
  void add(const char* id, const char* step, const char* model,
           const std::vector<const FakeRuntime*>& runtimes) {
    Variant& variant = catalog.emplace_back(Variant{id, step, model, "", {}, ""});
    for (const FakeRuntime* runtime : runtimes)
      variant.builds.push_back({runtime->kind, call_of(right_sums), runtime});
  }
  Texts names(const Wanted& wanted) {
    Texts list;
    for (const Choice& choice : select(catalog, wanted))
      list.push_back(choice.variant->model + " " + choice.variant->id);
    return list;
  }
  FakeRuntime host;
  FakeRuntime gpu;
  std::vector<Variant> catalog;
};

TEST_F(Selection, EverythingInOrderOrByModelIdAndStep) {
  EXPECT_EQ(names({}), (Texts{"cuda v1", "cuda v7", "omp v1", "omp v7", "omp v10"}));
  EXPECT_EQ(select(catalog, {})[4].build, nullptr);
  EXPECT_EQ(select(catalog, {})[4].reason, "a GPU idea");
  EXPECT_EQ(runtimes_of(catalog).size(), 2u);
  EXPECT_EQ(names({{"omp"}, {}, ""}), (Texts{"omp v1", "omp v7", "omp v10"}));
  EXPECT_EQ(names({{}, {"v7"}, ""}), (Texts{"cuda v7", "omp v7"}));
  EXPECT_EQ(names({{}, {"reciprocal", "v1"}, ""}).size(), 4u);
  EXPECT_EQ(names({{"cuda"}, {"reciprocal"}, ""}), (Texts{"cuda v7"}));
  EXPECT_EQ(names({{"cuda", "omp"}, {"v7"}, ""}).size(), 2u);
}

TEST_F(Selection, TakesTheDeviceAskedForOrTheGpuWhereItCanBeUsed) {
  EXPECT_EQ(choose(catalog[2]).build->kind, "gpu");
  EXPECT_EQ(choose(catalog[2], "host").build->kind, "host");
  EXPECT_EQ(choose(catalog[3], "gpu").build, nullptr);
  EXPECT_TRUE(contains(choose(catalog[3], "gpu").reason, "gpu"));
  catalog[3].not_built = {{"gpu", "no clang"}};
  EXPECT_EQ(choose(catalog[3], "gpu").reason, "not built for the device 'gpu': no clang");
  EXPECT_EQ(choose(catalog[3]).build->kind, "host");
  EXPECT_EQ(select_one(catalog, "v7", {}).variant->model, "cuda");
  gpu.reason = "no device";
  EXPECT_EQ(choose(catalog[2], "gpu").reason, "no device");
  EXPECT_EQ(choose(catalog[2]).build->kind, "host");
  EXPECT_EQ(choose(catalog[0]).build, nullptr);
  EXPECT_EQ(choose(catalog[0]).reason, "no device");
  EXPECT_EQ(select_one(catalog, "v7", {}).variant->model, "omp") << "the first that runs";
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
      for (const char* id : {"tutorial_3_reciprocal", "v2", "v1", "my_idea"})
        add(id, id, model, {std::string(model) == "cuda" ? &gpu : &host});
  }
  const PublishedLadder& tutorial = ladder_called(*kernels().front(), "tutorial");
};

TEST_F(LadderSelection, TakesTheStepsInTheLaddersOrderAndTheFirstModelThatRuns) {
  Wanted wanted;
  wanted.models = {"omp", "cuda"};
  wanted.ladder = &tutorial;
  EXPECT_EQ(names(wanted), (Texts{"omp v1", "omp v2", "omp tutorial_3_reciprocal", "cuda v1",
                                  "cuda v2", "cuda tutorial_3_reciprocal"}));
  wanted.models = {"omp"};
  wanted.only = {"v1", "tutorial_3_reciprocal"};
  EXPECT_EQ(names(wanted), (Texts{"omp v1", "omp tutorial_3_reciprocal"}));
  wanted = {};
  wanted.models = {"omp"};
  EXPECT_EQ(names(wanted), (Texts{"omp v2", "omp v1", "omp my_idea"}));
  wanted.only = {"tutorial_3_reciprocal"};
  EXPECT_EQ(names(wanted), (Texts{"omp tutorial_3_reciprocal"}));

  EXPECT_EQ(model_for(tutorial, catalog, ""), "cuda");
  EXPECT_EQ(model_for(tutorial, catalog, "host"), "omp");
  gpu.reason = "no device";
  EXPECT_EQ(model_for(tutorial, catalog, ""), "omp");
  host.reason = "no host";
  EXPECT_EQ(model_for(tutorial, catalog, ""), "cuda") << "whose reason is then told";
}

// ---- Calls --------------------------------------------------------------------------------------

struct Plain {
  int number = 0;
};
struct Longer : Plain {
  int more = 0;
};

int doubled(const Plain& plain) { return 2 * plain.number; }
void nothing(const Plain& /*plain*/) {}

TEST(Call, GivesTheAnswerAndRefusesTypesThatAreNotItsOwn) {
  const Call call = call_of(doubled);
  int answer = 0;
  EXPECT_TRUE(call);
  call_of(nothing)(Plain{});
  call(Plain{4}, answer);
  EXPECT_EQ(answer, 8);
  long long other_answer = 0;
  EXPECT_TRUE(call.takes<Plain>());
  EXPECT_FALSE(call.takes<Longer>());
  EXPECT_THROW(call(Longer{}, answer), std::logic_error);
  EXPECT_THROW(call(Plain{}, other_answer), std::logic_error);
  EXPECT_THROW(call(Plain{}), std::logic_error);
  EXPECT_THROW(call_of(nothing)(Plain{}, answer), std::logic_error);
  EXPECT_THROW(Call()(Plain{}, answer), std::logic_error);
  EXPECT_FALSE(Call());
  EXPECT_EQ(answer, 8);
}

// ---- Sigma-GPP's two problems -------------------------------------------------------------------

Sums bands_of(const Problem& problem) {
  Sums sums{};
  sums.asx[0].re = problem.nbands;
  return sums;
}
Sums rank_of(const FactoredProblem& problem) {
  Sums sums{};
  sums.asx[0].re = problem.moment_rank;
  return sums;
}

TEST(CallVariant, GivesEachVariantTheProblemThatItTakes) {
  FactoredProblem problem;
  problem.nbands = 3;
  problem.moment_rank = 5;
  EXPECT_EQ(call_variant(call_of(bands_of), problem).asx[0].re, 3);
  EXPECT_EQ(call_variant(call_of(rank_of), problem).asx[0].re, 5);
  EXPECT_THROW(call_variant(call_of(doubled), problem), std::logic_error);
  const std::set<std::string> factored = {"factored", "real_poles", "moments", "integers"};
  for (const Variant& variant : catalog())
    for (const Build& build : variant.builds)
      if (number_of(variant.id) > 0) {
        EXPECT_EQ(build.call.takes<FactoredProblem>(), factored.contains(variant.step))
            << variant.source;
      }
}

}  // namespace
}  // namespace gpp::test
