#include "data/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>

#include "data/gpp214_records.h"
#include "roofline/base/error.h"

namespace gpp {
namespace {

constexpr const char* remedy =
    "The file is damaged, or the program that made it failed: copy it again from its source, or "
    "generate it again.";

/// Throws an error about one record of one source.
[[noreturn]] void fail(std::string_view source, const Record& record, const std::string& what) {
  throw roofline::InputError(
      fmt::format("{}: record {} ({}): {}. {}", source, record.number, record.name, what, remedy));
}

constexpr Record calculation{1, "dimensions of the calculation", ""};
constexpr Record rank{2, "dimensions of the rank", ""};
constexpr Record frequencies{5, "frequencies", ""};
constexpr Record occupations{9, "occupations", ""};
constexpr Record limits{11, "limits", ""};

void require_positive(std::string_view source, const Record& record, const char* name, int value) {
  if (value < 1) fail(source, record, fmt::format("{} is {}, but must be at least 1", name, value));
}

void require_at_most(std::string_view source, const char* name, int value, const char* bound_name,
                     int bound) {
  if (value > bound)
    fail(source, rank,
         fmt::format("{} is {}, but must not exceed {}, which record 1 gives as {}", name, value,
                     bound_name, bound));
}

void require_finite(std::string_view source, const Record& record, const char* name, double value) {
  if (!std::isfinite(value))
    fail(source, record, fmt::format("{} is {}, but must be finite", name, value));
}

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

std::string subscript(std::size_t element, std::int64_t rows, std::int64_t columns) {
  const auto index = static_cast<std::int64_t>(element);
  if (columns == 1) return fmt::format("({})", index + 1);
  return fmt::format("({}, {})", index % rows + 1, index / rows + 1);
}

template <class Values>
void require_all_finite(std::string_view source, const Record& record, const Values& values,
                        std::int64_t rows, std::int64_t columns) {
  using Element = typename Values::value_type;
  constexpr std::size_t parts =
      sizeof(Element) / sizeof(double);  // NOLINT(bugprone-sizeof-expression)
  if (all_finite(reinterpret_cast<const double*>(values.data()), values.size() * parts)) return;
  std::size_t first = 0;
  while (finite(values[first])) ++first;
  fail(source, record,
       fmt::format("{}{} is {}, but every number must be finite", record.name,
                   subscript(first, rows, columns), text(values[first])));
}

void check_finite(std::string_view, const Record&, std::int32_t) {}
void check_finite(std::string_view, const Record&, double) {}  // validate_scalars checks by name
void check_finite(std::string_view, const Record&, const RepeatedItem&) {}
void check_finite(std::string_view, const Record&,
                  const ArrayItem<const std::vector<std::int32_t>>&) {}
void check_finite(std::string_view source, const Record& record,
                  const std::array<Complex, 3>& values) {
  require_all_finite(source, record, values, 3, 1);
}
template <class Vector>
void check_finite(std::string_view source, const Record& record, const ArrayItem<Vector>& item) {
  require_all_finite(source, record, item.values, item.rows, item.columns);
}

template <class Item>
void check_size(std::string_view, const Record&, const Item&) {}
template <class Vector>
void check_size(std::string_view source, const Record& record, const ArrayItem<Vector>& item) {
  if (static_cast<std::int64_t>(item.values.size()) != item.count())
    fail(source, record,
         fmt::format("{} has {} elements, but the dimensions demand {} ({})", record.name,
                     item.values.size(), item.count(), record.content));
}

void validate_scalars(const Input& input, std::string_view source) {
  if (input.nstart < 1 || input.nend > 3 || input.nstart > input.nend)
    fail(source, frequencies,
         fmt::format("nstart is {} and nend {}, but 1 <= nstart <= nend <= 3 must hold",
                     input.nstart, input.nend));
  require_finite(source, frequencies, "sig_dw", input.sig_dw);
  require_finite(source, frequencies, "sig_gamma", input.sig_gamma);
  require_finite(source, frequencies, "e_lk", input.e_lk);
  if (input.nvband < 0 || input.nvband > input.sig_ntband)
    fail(source, occupations,
         fmt::format("nvband is {}, but must lie in 0..sig_ntband = 0..{}", input.nvband,
                     input.sig_ntband));
  require_finite(source, occupations, "tol", input.tol);
  require_finite(source, occupations, "efermi", input.efermi);
  require_finite(source, limits, "sexcut", input.sexcut);
  if (input.sexcut < 0)
    fail(source, limits, fmt::format("sexcut is {}, but must not be negative", input.sexcut));
  require_finite(source, limits, "limittwo", input.limittwo);
  require_finite(source, limits, "limitone", input.limitone);
}

/// Throws unless the first `used` of `indices` lie in 1..`largest` and are all different.
void require_indices(std::string_view source, const Record& record,
                     const std::vector<std::int32_t>& indices, int used, const char* largest_name,
                     int largest) {
  std::map<std::int32_t, std::size_t> first;
  for (std::size_t i = 0; i < static_cast<std::size_t>(used); ++i) {
    if (indices[i] < 1 || indices[i] > largest)
      fail(source, record,
           fmt::format("{}({}) is {}, but must lie in 1..{} = 1..{}", record.name, i + 1,
                       indices[i], largest_name, largest));
    if (const auto [seen, is_new] = first.try_emplace(indices[i], i); !is_new)
      fail(source, record,
           fmt::format("{0}({1}) and {0}({2}) are both {3}, but each must be another one",
                       record.name, seen->second + 1, i + 1, indices[i]));
  }
}

/// Throws unless indinv maps each used G' to 0 or a G of the calculation, and no two to one.
void validate_places(const Input& input, std::string_view source) {
  const int largest = std::max(input.gvec_ng, input.ncoul);
  constexpr Record record{7, "indinv", ""};
  std::map<std::int32_t, std::int32_t> first;  // the index of indinv that mapped there first
  for (std::size_t igp = 0; igp < static_cast<std::size_t>(input.ngpown); ++igp) {
    const std::int32_t element = input.inv_igp_index[igp];
    const std::int32_t g = input.indinv[static_cast<std::size_t>(element - 1)];
    if (g < 0 || g > largest)
      fail(source, record,
           fmt::format("indinv({}) is {}, but must lie in 0..{}", element, g, largest));
    if (g < 1 || g > input.ncouls) continue;
    if (const auto [seen, is_new] = first.try_emplace(g, element); !is_new)
      fail(source, record,
           fmt::format("indinv({}) and indinv({}) are both {}, so two G' are the same G vector",
                       seen->second, element, g));
  }
}

}  // namespace

void validate_dimensions(const Input& input, std::string_view source) {
  require_positive(source, calculation, "sig_ntband", input.sig_ntband);
  require_positive(source, calculation, "gvec_ng", input.gvec_ng);
  require_positive(source, calculation, "ncoul", input.ncoul);
  require_positive(source, calculation, "epsmpi_ngpown_max", input.epsmpi_ngpown_max);
  require_positive(source, calculation, "peinf_ntband_max", input.peinf_ntband_max);
  require_positive(source, rank, "peinf_ntband_dist", input.peinf_ntband_dist);
  require_positive(source, rank, "ngpown", input.ngpown);
  require_positive(source, rank, "ncouls", input.ncouls);
  require_at_most(source, "peinf_ntband_dist", input.peinf_ntband_dist, "peinf_ntband_max",
                  input.peinf_ntband_max);
  require_at_most(source, "ngpown", input.ngpown, "epsmpi_ngpown_max", input.epsmpi_ngpown_max);
  require_at_most(source, "ncouls", input.ncouls, "ncoul", input.ncoul);
}

void validate_sizes(const Input& input, std::string_view source) {
  validate_dimensions(input, source);
  for_each_record(input, [source](const Record& record, auto&&... items) {
    (check_size(source, record, items), ...);
  });
}

void validate(const Input& input, std::string_view source) {
  validate_sizes(input, source);
  validate_scalars(input, source);
  require_indices(source, {3, "peinf_indext_dist", ""}, input.peinf_indext_dist,
                  input.peinf_ntband_dist, "sig_ntband", input.sig_ntband);
  require_indices(source, {6, "inv_igp_index", ""}, input.inv_igp_index, input.ngpown, "gvec_ng",
                  input.gvec_ng);
  validate_places(input, source);
  for_each_record(input, [source](const Record& record, auto&&... items) {
    (check_finite(source, record, items), ...);
  });
}

}  // namespace gpp
