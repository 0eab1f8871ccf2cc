// Tests that unusable numbers and indices are refused by name, and that padding may hold anything.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <utility>

#include "data/validate.h"
#include "roofline/base/error.h"
#include "tests/data/sample.h"

namespace gpp::test {
namespace {

std::string refusal_of(const Input& input) {
  return thrown<roofline::InputError>([&input] { validate(input, "here"); });
}

void expect_refused(const Input& input, const std::vector<std::string>& parts) {
  const std::string message = refusal_of(input);
  EXPECT_TRUE(message.starts_with("here: ")) << '"' << message << '"';
  EXPECT_TRUE(contains_all(message, parts));
  // Reading the input from a file must give the same error.
  EXPECT_TRUE(contains(refusal(bytes_of(input)), parts.front()));
}

/// The sample with one change.
Input spoiled(const std::function<void(Input&)>& spoil) {
  Input input = sample_input();
  spoil(input);
  return input;
}

/// The element of indinv for G' number igp.
std::size_t used(const Input& input, std::size_t igp = 0) {
  return static_cast<std::size_t>(input.inv_igp_index[igp] - 1);
}

TEST(Validate, FrequenciesOccupiedBandsAndCutoff) {
  EXPECT_EQ(refusal_of(sample_input()), "");
  for (const auto& [nstart, nend] : {std::pair{0, 3}, {2, 4}, {3, 2}, {-1, -1}, {4, 4}}) {
    SCOPED_TRACE(nstart);
    expect_refused(spoiled([first = nstart, last = nend](Input& i) {
                     i.nstart = first;
                     i.nend = last;
                   }),
                   {"record 5 (frequencies)", fmt::format("nstart is {}", nstart),
                    fmt::format("nend {}", nend)});
  }
  EXPECT_EQ(refusal_of(spoiled([](Input& i) { i.nstart = 1; })), "");
  EXPECT_EQ(refusal_of(spoiled([](Input& i) { i.nend = 2; })), "");
  for (const int nvband : {-1, 8})
    expect_refused(spoiled([&](Input& i) { i.nvband = nvband; }),
                   {"record 9 (occupations)", fmt::format("nvband is {}", nvband)});
  for (const int nvband : {0, 7})
    EXPECT_EQ(refusal_of(spoiled([&](Input& i) { i.nvband = nvband; })), "");
  expect_refused(spoiled([](Input& i) { i.sexcut = -4; }), {"record 11 (limits)", "sexcut is -4"});
}

TEST(Validate, IndicesOfBandsAndOwnVectors) {
  for (const int band : {0, -1, 8, std::numeric_limits<int>::min()})
    for (const std::size_t n1 : {0u, 2u})
      expect_refused(spoiled([&](Input& i) { i.peinf_indext_dist[n1] = band; }),
                     {"record 3 (peinf_indext_dist)", fmt::format("({}) is {}", n1 + 1, band),
                      "1..sig_ntband = 1..7"});
  EXPECT_EQ(refusal_of(spoiled([](Input& i) { i.peinf_indext_dist[3] = 12345; })), "");
  for (const int g : {0, -1, 12})
    for (const std::size_t igp : {0u, 1u})
      expect_refused(spoiled([&](Input& i) { i.inv_igp_index[igp] = g; }),
                     {"record 6 (inv_igp_index)", fmt::format("({}) is {}", igp + 1, g),
                      "1..gvec_ng = 1..11"});
  EXPECT_EQ(refusal_of(spoiled([](Input& i) { i.inv_igp_index[2] = -12345; })), "");
}

TEST(Validate, PlacesOfTheGInUse) {
  for (const int g : {-7, 1999999999})
    expect_refused(spoiled([g](Input& i) { i.indinv[used(i)] = g; }),
                   {"record 7 (indinv)", fmt::format("is {}", g), "0..11"});
  for (const int g : {0, 11})
    EXPECT_EQ(refusal_of(spoiled([g](Input& i) { i.indinv[used(i)] = g; })), "") << g;
  for (const int g : {0, -5, 4, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    EXPECT_EQ(refusal_of(spoiled([g](Input& i) { i.indinv[1] = g; })), "") << g;
}

TEST(Validate, EachBandAndEachGOnce) {
  expect_refused(spoiled([](Input& i) { i.peinf_indext_dist[2] = i.peinf_indext_dist[0]; }),
                 {"record 3 (peinf_indext_dist)", "(1) and peinf_indext_dist(3) are both"});
  expect_refused(spoiled([](Input& i) { i.inv_igp_index[1] = i.inv_igp_index[0]; }),
                 {"record 6 (inv_igp_index)", "(1) and inv_igp_index(2) are both"});
  expect_refused(spoiled([](Input& i) {
                   i.indinv[used(i, 0)] = 1;
                   i.indinv[used(i, 1)] = 1;
                 }),
                 {"record 7 (indinv)", "are both 1", "two G' are the same G vector"});
}

/// A number of an input, and its name in messages.
struct Number {
  std::string record, name;
  double* value;
};

/// Every real number of every record.
std::vector<Number> numbers_of(Input& i) {
  std::vector<Number> all = {{"record 5 (frequencies)", "sig_dw", &i.sig_dw},
                             {"record 5 (frequencies)", "sig_gamma", &i.sig_gamma},
                             {"record 5 (frequencies)", "e_lk", &i.e_lk},
                             {"record 9 (occupations)", "tol", &i.tol},
                             {"record 9 (occupations)", "efermi", &i.efermi},
                             {"record 11 (limits)", "sexcut", &i.sexcut},
                             {"record 11 (limits)", "limittwo", &i.limittwo},
                             {"record 11 (limits)", "limitone", &i.limitone}};
  const auto add = [&all](const char* record, const std::string& index, Complex& element) {
    for (double* part : {&element.re, &element.im}) all.push_back({record, index, part});
  };
  for (std::size_t at = 0; at < i.wfnkq_ekq.size(); ++at)
    all.push_back({"record 4 (wfnkq_ekq)", fmt::format("({})", at + 1), &i.wfnkq_ekq[at]});
  for (std::size_t at = 0; at < i.vcoul.size(); ++at)
    all.push_back({"record 10 (vcoul)", fmt::format("({})", at + 1), &i.vcoul[at]});
  for (const auto& [record, matrix] : {std::pair("record 8 (aqsmtemp)", &i.aqsmtemp),
                                       {"record 12 (wtilde_array)", &i.wtilde_array},
                                       {"record 13 (I_eps_array)", &i.I_eps_array},
                                       {"record 14 (aqsntemp)", &i.aqsntemp}})
    for (std::size_t at = 0; at < matrix->size(); ++at)  // matrix with 3 rows
      add(record, fmt::format("({}, {})", at % 3 + 1, at / 3 + 1), (*matrix)[at]);
  for (const auto& [record, sums] : {std::pair("record 15 (asxtemp)", &i.asxtemp),
                                     {"record 16 (achtemp)", &i.achtemp},
                                     {"record 17 (asxtempref)", &i.asxtempref},
                                     {"record 18 (achtempref)", &i.achtempref}})
    for (std::size_t at = 0; at < 3; ++at) add(record, fmt::format("({})", at + 1), (*sums)[at]);
  return all;
}

TEST(Finite, EveryNumber) {
  using Limits = std::numeric_limits<double>;
  Input input = sample_input();
  for (const Number& number : numbers_of(input))
    for (const auto& [text, value] : {std::pair("nan", Limits::quiet_NaN()),
                                      {"nan", Limits::signaling_NaN()},
                                      {"inf", Limits::infinity()},
                                      {"-inf", -Limits::infinity()}}) {
      const double right = std::exchange(*number.value, value);
      expect_refused(input, {number.record, number.name + " is ", text});
      *number.value = right;
    }
  for (const double value : {1e300, -1e300, 5e-324, -0.0, 1e12})
    EXPECT_EQ(refusal_of(spoiled([&](Input& i) { i.wtilde_array[1].im = value; })), "") << value;
}

TEST(Sizes, EveryArray) {
  const std::vector<std::pair<const char*, std::function<void(Input&)>>> shorter = {
      {"record 3", [](Input& i) { i.peinf_indext_dist.pop_back(); }},
      {"record 4", [](Input& i) { i.wfnkq_ekq.pop_back(); }},
      {"record 6", [](Input& i) { i.inv_igp_index.pop_back(); }},
      {"record 7", [](Input& i) { i.indinv.pop_back(); }},
      {"record 8", [](Input& i) { i.aqsmtemp.pop_back(); }},
      {"record 10", [](Input& i) { i.vcoul.pop_back(); }},
      {"record 12", [](Input& i) { i.wtilde_array.pop_back(); }},
      {"record 13", [](Input& i) { i.I_eps_array.clear(); }},
      {"record 14", [](Input& i) { i.aqsntemp.push_back({}); }}};
  for (const auto& [record, spoil] : shorter) {
    EXPECT_TRUE(
        contains_all(refusal_of(spoiled(spoil)), {record, "elements, but the dimensions demand"}));
  }
}

}  // namespace
}  // namespace gpp::test
