// Tables of models: what the library's own hold, and what is said of one that cannot be read.
#include "roofline/models/model_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "roofline/base/error.h"
#include "tests/text.h"

namespace roofline {
namespace {

const std::string sound = R"(# A vendor of one counter.
vendor acme
  device gpu

source manual
  text The manual, 2020

metric flop
  formula adds + muls +
    2 * fmas
  unit FLOP
  meaning Operations.
  source manual

metric pipe
  formula busy
  formula busy_a + busy_b
  when flop
  above 0.5
  unit %
  meaning Busy cycles.
  source manual

level near
  label Near
  roof near_roof
  beside yes

level far
  label Far memory
  traffic flop
  roof far_roof

model half
  title Half
  work flop
  unit FLOP
  peak half_fma
  thin slow slower
  levels near far
  fma_fraction pipe
  pipe pipe
  across FLOP per byte
  up operations per second
)";

/// The message for a table in which one text is replaced.
std::string message(const std::string& from, const std::string& to) {
  std::string text = sound;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return gpp::test::thrown<InputError>([&] { read_model_table(text, "acme.txt"); });
}

TEST(ModelTable, HoldsWhatTheTextSays) {
  const ModelTable table = read_model_table(sound, "acme.txt");
  EXPECT_EQ(table.vendor, "acme");
  EXPECT_EQ(table.device, "gpu");
  const Metric& flop = *table.find_metric("flop");
  EXPECT_EQ(flop.formula, "adds + muls + 2 * fmas");
  EXPECT_EQ(flop.source, "The manual, 2020");
  EXPECT_TRUE(flop.alternatives.empty());
  const Metric& pipe = *table.find_metric("pipe");
  EXPECT_EQ(pipe.alternatives, std::vector<std::string>{"busy_a + busy_b"});
  EXPECT_EQ(pipe.when, "flop");
  EXPECT_EQ(pipe.above, 0.5);
  const Model& model = *table.find_model("half");
  EXPECT_EQ(model.title, "Half");
  EXPECT_EQ(model.thin, (std::vector<std::string>{"slow", "slower"}));
  ASSERT_EQ(model.levels.size(), 2u);
  EXPECT_TRUE(model.find_level("near")->beside);
  EXPECT_FALSE(model.find_level("far")->beside);
  EXPECT_EQ(model.find_level("far")->label, "Far memory");
  EXPECT_EQ(model.find_level("far")->traffic, "flop");
  EXPECT_EQ(model.across, "FLOP per byte");
  EXPECT_EQ(model.find_level("middle"), nullptr);
  EXPECT_EQ(table.find_model("double"), nullptr);
}

TEST(ModelTable, HoldsOneModelOfWorkWithoutOperations) {
  const std::string movement =
      "movement bytes\n  title Bytes\n  work flop\n  unit B\n  peak far_roof\n  levels far\n"
      "  across bytes per byte\n  up bytes per second\n\n";
  EXPECT_FALSE(read_model_table(sound, "acme.txt").movement);
  const ModelTable table = read_model_table(sound + "\n" + movement, "acme.txt");
  ASSERT_TRUE(table.movement);
  EXPECT_TRUE(table.movement->moves);
  EXPECT_EQ(table.find_model("bytes"), &*table.movement);
  EXPECT_EQ(table.models.size(), 1u) << "its work is no arithmetic";
  EXPECT_NE(message("model half", movement + "movement more" + movement.substr(14) + "model half")
                .find("a second movement"),
            std::string::npos);
  EXPECT_NE(message("model half", "movement half" + movement.substr(14) + "model half")
                .find("a model is called 'half', too"),
            std::string::npos);
}

TEST(ModelTable, NamesThePlaceOfAFormulasError) {
  EXPECT_EQ(message("adds + muls +", "adds + * muls +"),
            "acme.txt:9:18: a number, a name or '(' is missing before '*'");
  EXPECT_EQ(message("2 * fmas", "2 fmas"), "acme.txt:10:7: an operator is missing before 'f'")
      << "in the second line of the formula";
  EXPECT_EQ(message("busy_a +", "busy_a + ("), "acme.txt:17:28: ')' is missing before its end");
}

TEST(ModelTable, NamesThePlaceOfWhatIsUnknownOrMissing) {
  EXPECT_EQ(message("  meaning Op", "  meanign Op"),
            "acme.txt:12:3: unknown field of a metric 'meanign'; did you mean 'meaning'? Known: "
            "formula, elsewhere, when, above, unit, meaning, source.");
  EXPECT_EQ(message("  unit FLOP\n  meaning", "  meaning"),
            "acme.txt:8:1: metric 'flop' has no 'unit'");
  EXPECT_EQ(message("levels near far", "levels near afar"),
            "acme.txt:40:15: unknown level 'afar'; did you mean 'far'? Known: near, far.");
  EXPECT_EQ(message("work flop", "work flops"),
            "acme.txt:36:8: unknown metric 'flops'; did you mean 'flop'? Known: flop, pipe.");
  EXPECT_EQ(message("when flop", "when flip"),
            "acme.txt:18:8: unknown metric 'flip'; did you mean 'flop'? Known: flop, pipe.");
  EXPECT_EQ(message("source manual\n\nmetric pipe", "source manuel\n\nmetric pipe"),
            "acme.txt:13:10: unknown source 'manuel'; did you mean 'manual'? Known: manual.");
  EXPECT_NE(message("level far", "lever far").find("acme.txt:29:1: unknown block 'lever'"),
            std::string::npos);
}

TEST(ModelTable, RefusesWhatIsThereTwice) {
  EXPECT_EQ(message("metric pipe", "metric flop"),
            "acme.txt:15:1: a second metric 'flop'; the first is in line 8");
  EXPECT_EQ(message("level near", "vendor other\n  device gpu\n\nlevel near"),
            "acme.txt:24:1: a second vendor 'other'; the first is in line 2");
  EXPECT_EQ(message("  unit %", "  unit %\n  unit B"), "acme.txt:21:3: a second 'unit'");
}

TEST(ModelTable, RefusesWhatIsNotSetOutAsATable) {
  EXPECT_EQ(message("  unit %", "\tunit %"), "acme.txt:20:1: a tab; indent with blanks");
  EXPECT_EQ(message("  unit %", "  unit"), "acme.txt:20:7: a value is missing behind 'unit'");
  EXPECT_EQ(message("  unit %", " unit %"),
            "acme.txt:20:2: indented by 1, where the fields above are indented by 2");
  EXPECT_EQ(message("metric pipe", "metric"), "acme.txt:15:7: a name is missing behind 'metric'");
  EXPECT_EQ(message("beside yes", "beside no"),
            "acme.txt:27:10: 'beside' is either 'yes' or left out");
  EXPECT_EQ(message("vendor acme", "  vendor acme"),
            "acme.txt:2:3: a field before any block; a block begins at the left margin");
  EXPECT_EQ(message("vendor acme\n  device gpu\n", ""), "acme.txt:1:1: no vendor is named");
}

TEST(Tables, HaveAModelForEveryPrecision) {
  for (const char* name : {"fp64", "fp32", "fp16", "fp64_tensor", "fp16_tensor", "bf16_tensor",
                           "tf32_tensor", "fp8_tensor", "int8_tensor"}) {
    const Model* model = nvidia_table().find_model(name);
    ASSERT_NE(model, nullptr) << name;
    EXPECT_EQ(nvidia_table().find_metric(model->work)->unit, model->unit) << name;
    for (const Level& level : model->levels) EXPECT_FALSE(level.traffic.empty()) << level.name;
  }
  EXPECT_EQ(nvidia_table().models.front().name, "fp64");
  EXPECT_NE(host_table().find_model("fp64"), nullptr);
  EXPECT_NE(host_table().find_model("fp32"), nullptr);
  EXPECT_EQ(host_table().find_model("fp16"), nullptr);
  EXPECT_EQ(&table_of("host"), &host_table());
  EXPECT_EQ(&table_of("gpu"), &nvidia_table());
}

TEST(Tables, CountNoTensorWorkByInstructions) {
  for (const Model& model : nvidia_table().models)
    EXPECT_EQ(nvidia_table().find_metric(model.work)->formula.find("inst_executed_pipe_tensor"),
              std::string::npos)
        << model.name << ": on Hopper that is not zero without tensor instructions";
}

TEST(Tables, OrderTheirLevelsFromTheArithmeticOn) {
  EXPECT_EQ(level_order(), (std::vector<std::string>{"l1", "shared", "l2", "l3", "dram"}));
  std::vector<std::string> levels = {"zz", "dram", "aa", "l3", "shared", "l1"};
  std::sort(levels.begin(), levels.end(), is_nearer);
  EXPECT_EQ(levels, (std::vector<std::string>{"l1", "shared", "l3", "dram", "aa", "zz"}));
}

}  // namespace
}  // namespace roofline
