#include "data/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>

#include "data/gpp214_records.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

constexpr const char* remedy =
    "The file is damaged, or the program that made it failed: copy it again from its source, or "
    "generate it again.";

/// One record of one source.
struct Place {
  std::string_view source;
  Record record;

  [[noreturn]] void fail(const std::string& what) const {
    throw roofline::InputError(fmt::format("{}: record {} ({}): {}. {}", source, record.number,
                                           record.name, what, remedy));
  }
  void require(bool condition, const std::string& what) const {
    if (!condition) fail(what);
  }
};

/// Tests bits, at the speed of memory: infinities and NaNs alone have an exponent of all ones, and
/// adding 1 to it carries into the sign.
bool all_finite(const double* values, std::size_t count) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000;
  constexpr std::uint64_t one = 0x0010000000000000;
  constexpr std::uint64_t sign = 0x8000000000000000;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < count; ++i)
    seen |= (std::bit_cast<std::uint64_t>(values[i]) & exponent) + one;
  return (seen & sign) == 0;
}

bool finite(double value) { return std::isfinite(value); }
bool finite(Complex value) { return std::isfinite(value.re) && std::isfinite(value.im); }
std::string text(double value) { return fmt::format("{}", value); }
std::string text(Complex value) { return fmt::format("({}, {})", value.re, value.im); }

template <class Values>
void require_all_finite(const Place& place, const Values& values, std::int64_t rows,
                        std::int64_t columns) {
  using Element = typename Values::value_type;
  constexpr std::size_t parts =
      sizeof(Element) / sizeof(double);  // NOLINT(bugprone-sizeof-expression)
  if (all_finite(reinterpret_cast<const double*>(values.data()), values.size() * parts)) return;
  const auto bad = std::ranges::find_if(values, [](const Element& one) { return !finite(one); });
  const std::int64_t at = bad - values.begin();
  place.fail(fmt::format(
      "{}({}{}) is {}, but every number must be finite", place.record.name, at % rows + 1,
      columns == 1 ? std::string() : fmt::format(", {}", at / rows + 1), text(*bad)));
}

/// Whole numbers have their own checks: validate_scalars.
template <class Item>
void check_item(const Place&, const Item&, bool /*values_too*/) {}
void check_item(const Place& place, const double& value, bool values_too) {
  if (values_too && !std::isfinite(value))
    place.fail(fmt::format("one of its numbers is {}, but every number must be finite", value));
}
void check_item(const Place& place, const std::array<Complex, 3>& values, bool values_too) {
  if (values_too) require_all_finite(place, values, 3, 1);
}
template <class Vector>
void check_item(const Place& place, const ArrayItem<Vector>& item, bool values_too) {
  if (static_cast<std::int64_t>(item.values.size()) != item.count())
    place.fail(fmt::format("{} has {} elements, but the dimensions demand {} ({})",
                           place.record.name, item.values.size(), item.count(),
                           place.record.content));
  if constexpr (!std::is_integral_v<typename Vector::value_type>)
    if (values_too) require_all_finite(place, item.values, item.rows, item.columns);
}

void check_items(const Input& input, std::string_view source, bool values_too) {
  for_each_record(input, [&](const Record& record, auto&&... items) {
    (check_item(Place{source, record}, items, values_too), ...);
  });
}

void validate_scalars(const Input& input, std::string_view source) {
  const Place frequencies{source, {5, "frequencies", ""}};
  const Place occupations{source, {9, "occupations", ""}};
  const Place limits{source, {11, "limits", ""}};
  frequencies.require(
      1 <= input.nstart && input.nstart <= input.nend && input.nend <= 3,
      fmt::format("nstart is {} and nend {}, but 1 <= nstart <= nend <= 3 must hold", input.nstart,
                  input.nend));
  occupations.require(0 <= input.nvband && input.nvband <= input.sig_ntband,
                      fmt::format("nvband is {}, but must lie in 0..sig_ntband = 0..{}",
                                  input.nvband, input.sig_ntband));
  limits.require(input.sexcut >= 0,
                 fmt::format("sexcut is {}, but must not be negative", input.sexcut));
}

/// Throws unless the first `used` of `indices` lie in 1..`largest` and are all different.
void require_indices(const Place& place, const std::vector<std::int32_t>& indices, int used,
                     const char* largest_name, int largest) {
  std::map<std::int32_t, std::size_t> first;
  for (std::size_t i = 0; i < static_cast<std::size_t>(used); ++i) {
    if (indices[i] < 1 || indices[i] > largest)
      place.fail(fmt::format("{}({}) is {}, but must lie in 1..{} = 1..{}", place.record.name,
                             i + 1, indices[i], largest_name, largest));
    if (const auto [seen, is_new] = first.try_emplace(indices[i], i); !is_new)
      place.fail(fmt::format("{0}({1}) and {0}({2}) are both {3}, but each must be another one",
                             place.record.name, seen->second + 1, i + 1, indices[i]));
  }
}

/// Throws unless indinv maps each used G' to 0 or a G of the calculation, and no two to one.
void validate_places(const Input& input, std::string_view source) {
  const int largest = std::max(input.gvec_ng, input.ncoul);
  const Place place{source, {7, "indinv", ""}};
  std::map<std::int32_t, std::int32_t> first;  // the index of indinv that mapped there first
  for (std::size_t igp = 0; igp < static_cast<std::size_t>(input.ngpown); ++igp) {
    const std::int32_t element = input.inv_igp_index[igp];
    const std::int32_t g = input.indinv[static_cast<std::size_t>(element - 1)];
    if (g < 0 || g > largest)
      place.fail(fmt::format("indinv({}) is {}, but must lie in 0..{}", element, g, largest));
    if (g < 1 || g > input.ncouls) continue;
    if (const auto [seen, is_new] = first.try_emplace(g, element); !is_new)
      place.fail(
          fmt::format("indinv({}) and indinv({}) are both {}, so two G' are the same G "
                      "vector",
                      seen->second, element, g));
  }
}

}  // namespace

void validate_dimensions(const Input& input, std::string_view source) {
  const Place calculation{source, {1, "dimensions of the calculation", ""}};
  const Place rank{source, {2, "dimensions of the rank", ""}};
  for (const auto& [place, name, value] :
       {std::tuple(&calculation, "sig_ntband", input.sig_ntband),
        {&calculation, "gvec_ng", input.gvec_ng},
        {&calculation, "ncoul", input.ncoul},
        {&calculation, "epsmpi_ngpown_max", input.epsmpi_ngpown_max},
        {&calculation, "peinf_ntband_max", input.peinf_ntband_max},
        {&rank, "peinf_ntband_dist", input.peinf_ntband_dist},
        {&rank, "ngpown", input.ngpown},
        {&rank, "ncouls", input.ncouls}})
    place->require(value >= 1, fmt::format("{} is {}, but must be at least 1", name, value));
  for (const auto& [name, value, bound_name, bound] :
       {std::tuple("peinf_ntband_dist", input.peinf_ntband_dist, "peinf_ntband_max",
                   input.peinf_ntband_max),
        {"ngpown", input.ngpown, "epsmpi_ngpown_max", input.epsmpi_ngpown_max},
        {"ncouls", input.ncouls, "ncoul", input.ncoul}})
    rank.require(value <= bound,
                 fmt::format("{} is {}, but must not exceed {}, which record 1 gives as {}", name,
                             value, bound_name, bound));
}

void validate_sizes(const Input& input, std::string_view source) {
  validate_dimensions(input, source);
  check_items(input, source, false);
}

void validate(const Input& input, std::string_view source) {
  validate_sizes(input, source);
  validate_scalars(input, source);
  require_indices({source, {3, "peinf_indext_dist", ""}}, input.peinf_indext_dist,
                  input.peinf_ntband_dist, "sig_ntband", input.sig_ntband);
  require_indices({source, {6, "inv_igp_index", ""}}, input.inv_igp_index, input.ngpown, "gvec_ng",
                  input.gvec_ng);
  validate_places(input, source);
  check_items(input, source, true);
}

}  // namespace gpp
