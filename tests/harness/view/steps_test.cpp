// The tables of the report: rows of studies, what a step took, and what explains its time.
#include "harness/view/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/view/results.h"
#include "tests/harness/kept_text.h"
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

/// A table with all that a page makes of it.
std::string text_of(const roofline::ViewTable& table) {
  std::string text = table.caption + "\n";
  for (const auto& row : table.rows) {
    text += row.tone.empty() ? "row" : "row, " + row.tone;
    for (const auto& [tag, value] : row.tags) text += fmt::format(" {}={}", tag, value);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& cell = row.cells.at(i);
      text += fmt::format("\n  {}: {}", table.columns[i].name, cell.text);
      if (!cell.link.empty()) text += " to #" + cell.link;
      if (!std::isnan(cell.key)) text += fmt::format(" ({:.6g})", cell.key);
    }
    text += "\n";
  }
  for (const std::string& note : table.notes) text += "note: " + note + "\n";
  return text;
}

/// Rows sort by their values and are hidden by their tags; the counter that accounts for the time
/// is marked, and a note says why where none is.
TEST(ReportTables, AreThoseThatAreKept) {
  const std::vector<NamedStudy> all = studies();
  std::vector<NamedStudy> same = all;
  for (Result& result : same[0].study.results)
    if (result.variant == "v7") result.samples = {2.0, 2.01, 1.99, 2.002, 1.998};
  const ShownResults shown(all), unchanged(same);
  expect_kept("harness/view/tables.txt",
              text_of(results_table(shown)) + "\n==== step v7\n" +
                  text_of(step_table(shown, "v7")) + "\n==== why v7 is faster\n" +
                  text_of(explanation_table(shown, row_of(shown, "v7")).value()) +
                  "\n==== where it is not\n" +
                  text_of(explanation_table(unchanged, row_of(unchanged, "v7")).value()));
  EXPECT_FALSE(explanation_table(shown, row_of(shown, "v1"))) << "there is no step before it";
}

}  // namespace
}  // namespace gpp::test
