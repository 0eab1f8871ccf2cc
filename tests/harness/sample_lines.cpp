#include "tests/harness/sample_lines.h"

namespace gpp::test {

LinesRecord sample_lines() {
  const std::string variant = "variants/cuda/v08_power2.cu", form = "gpp/forms/power2.h";
  LinesRecord record;
  record.period = 4096;
  record.counted = {"warp_instructions", "sectors", "ideal_sectors"};
  record.sources[variant] = {
      "// v8", "  const Complex m = conj(a) * problem.aqsntemp(ig, n1);",
      "  const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);"};
  record.sources[form] = {
      "  const Real wdiffr = norm(wdiff);",
      "  if (!(norm(term.ssx) <= pole.ssxcutoff) && wx < Real(0)) term.ssx = {Real(0), Real(0)};"};
  const auto counts = [](std::uint64_t sectors, std::uint64_t ideal) {
    return roofline::Events{
        {"warp_instructions", 1000}, {"sectors", sectors}, {"ideal_sectors", ideal}};
  };
  using Place = roofline::SourcePlace;
  record.lines = {
      {Place{variant, 2}, {}, "kernel", {{"long_scoreboard", 100}, {"wait", 10}}, counts(70, 60)},
      {Place{"gpp/array.h", 9},
       Place{variant, 2},
       "operator()",
       {{"long_scoreboard", 440}, {"wait", 50}},
       counts(900, 400)},
      {Place{form, 1}, Place{variant, 3}, "power2", {{"wait", 160}, {"selected", 100}}, {}},
      {Place{form, 2}, Place{variant, 3}, "power2", {{"math_pipe_throttle", 10}, {"wait", 30}}, {}},
      {Place{}, {}, "division", {{"branch_resolving", 90}, {"no_instructions", 10}}, {}}};
  return record;
}

}  // namespace gpp::test
