// The tables of the report: rows of studies, what a step took, and what explains its time.
#include "harness/view/steps.h"

#include <algorithm>

#include "harness/view/results.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

/// The sample with counters of v1 as well: its warps waited for memory alone.
std::vector<NamedStudy> studies() {
  NamedStudy named{"a", sample_study()};
  for (Result& result : named.study.results)
    if (result.variant == "v1")
      result.counted.metrics = {
          {"stall_long_scoreboard", 40}, {"stall_wait", 3}, {"fp64_pipe", 10.0}};
  return {named};
}

const ShownRow& row_of(const ShownResults& shown, std::string_view variant) {
  return *std::find_if(shown.rows().begin(), shown.rows().end(),
                       [variant](const ShownRow& row) { return row.result->variant == variant; });
}

TEST(ShownResults, AreInTheOrderOfTheSteps) {
  const std::vector<NamedStudy> all = studies();
  const ShownResults shown(all);
  EXPECT_EQ(shown.variants(), (std::vector<std::string>{"v1", "v7", "v8"})) << "v9 did not run";
  EXPECT_EQ(only(shown.machines()).label, "a processor");
  EXPECT_EQ(shown.before(row_of(shown, "v1")), nullptr);
  EXPECT_EQ(shown.before(row_of(shown, "v7")), &row_of(shown, "v1")) << "v6 was not timed";
  EXPECT_EQ(short_device("Intel(R) Xeon(R) Processor @ 2.70GHz"), "Intel Xeon");
}

TEST(ShownResults, MachinesOfOneNameAreToldApartByTheirStudies) {
  std::vector<NamedStudy> all = studies();
  all.push_back({"b", sample_study()});
  const ShownResults shown(all);
  ASSERT_EQ(shown.machines().size(), 2U);
  EXPECT_EQ(shown.machines()[1].label, "a processor (b)");
  EXPECT_EQ(results_table(shown).columns[3].name, "machine");
}

TEST(ReportTables, SortByValuesAndAreHiddenByTags) {
  const std::vector<NamedStudy> all = studies();
  const roofline::ViewTable table = results_table(ShownResults(all));
  ASSERT_EQ(table.rows.size(), 2U) << "failed ones have no row";
  EXPECT_EQ(table.rows[1].cells[0].link, "step-v7");
  EXPECT_EQ(table.columns[3].name, "time");
  EXPECT_EQ(table.rows[1].cells[3].text, "500.0 ms");
  EXPECT_DOUBLE_EQ(table.rows[1].cells[3].key, 0.5);
  EXPECT_EQ(table.rows[1].tags[1], (std::pair<std::string, std::string>("model", "omp")));
}

TEST(Explanations, MarkTheCounterThatAccountsForTheTime) {
  const std::vector<NamedStudy> all = studies();
  const ShownResults shown(all);
  const auto table = explanation_table(shown, row_of(shown, "v7"));
  ASSERT_TRUE(table.has_value());
  EXPECT_NE(table->caption.find("v1 to v7, time 2.000 s to 500.0 ms (4.00x)"), std::string::npos)
      << table->caption;
  EXPECT_EQ(table->rows[0].tone, "good");
  EXPECT_EQ(table->rows[0].cells[0].text, "stall long scoreboard");
  EXPECT_EQ(std::count_if(table->rows.begin(), table->rows.end(),
                          [](const roofline::TableRow& row) { return row.tone == "good"; }),
            1)
      << "how busy a pipe was says not why, and the wait for instructions stayed";
  EXPECT_TRUE(table->notes.empty());
  EXPECT_FALSE(explanation_table(shown, row_of(shown, "v1"))) << "there is no step before it";
}

TEST(Explanations, SayWhyNothingIsMarked) {
  std::vector<NamedStudy> all = studies();
  for (Result& result : all[0].study.results)
    if (result.variant == "v7") result.samples = {2.0, 2.01, 1.99, 2.002, 1.998};
  const ShownResults shown(all);
  const auto table = explanation_table(shown, row_of(shown, "v7"));
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->rows[0].tone, "");
  EXPECT_NE(only(table->notes).find("do not differ"), std::string::npos);
}

TEST(StepTables, TellWhatTheVariantTook) {
  const std::vector<NamedStudy> all = studies();
  const roofline::ViewTable table = step_table(ShownResults(all), "v7");
  const auto text = [&table](std::string_view name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (table.columns[i].name == name) return only(table.rows).cells[i].text;
    return std::string("no such column");
  };
  EXPECT_EQ(text("over_before"), "4.00x over v1");
  EXPECT_EQ(text("of_roof"), "93.8% of L1");
  EXPECT_EQ(text("registers"), "128");
  EXPECT_EQ(text("occupancy"), "25%");
  EXPECT_EQ(text("spilled"), "16 B");
  EXPECT_EQ(text("error"), "1.3e-14");
}

}  // namespace
}  // namespace gpp::test
