#include "data/gpp214.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "data/gpp214_records.h"
#include "data/validate.h"
#include "gpp/sums.h"
#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

using roofline::saturating_product, roofline::saturating_sum;

// ---- Reading ------------------------------------------------------------------------------------

template <class Plain>
void read_item(RecordReader& reader, Plain& value) {
  reader.read(&value, sizeof(value));
}
template <class Vector>
void read_item(RecordReader& reader, ArrayItem<Vector>& item) {
  item.values.resize(static_cast<std::size_t>(item.count()));
  reader.read(item.values.data(), bytes_of_item(item));
}
void read_item(RecordReader& reader, RepeatedItem& item) {
  std::int32_t again = 0;
  reader.read(&again, sizeof(again));
  if (again == item.value) return;
  throw roofline::InputError(
      fmt::format("{}: record 7 (indinv): it begins with gvec_ng = {}, but record 1 says {}. The "
                  "file is damaged: copy it again from its source, or generate it again.",
                  reader.name(), again, item.value));
}

/// Goes from marker to marker through the whole stream. Reads the dimensions or, with `all`,
/// everything.
void read_records(RecordReader& reader, Input& input, bool all) {
  reader.rewind();
  for_each_record(input, [&](const Record& record, auto&&... items) {
    const std::int64_t bytes = bytes_of_record(items...);
    reader.begin(record, bytes);
    if (all || record.number <= 2)
      (read_item(reader, items), ...);
    else
      reader.skip(bytes);
    reader.end();
    if (record.number == 2) validate_dimensions(input, reader.name());
  });
  reader.expect_end();
}

// ---- Writing ------------------------------------------------------------------------------------

template <class Plain>
std::string_view bytes_in(const Plain& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}
std::string_view bytes_in(const RepeatedItem& item) { return bytes_in(item.value); }
template <class Vector>
std::string_view bytes_in(const ArrayItem<Vector>& item) {
  return {reinterpret_cast<const char*>(item.values.data()),
          static_cast<std::size_t>(bytes_of_item(item))};
}

void write_records(const ByteSink& sink, const Input& input, const WriteOptions& options) {
  validate_sizes(input, "the input to be written");
  for_each_record(input, [&](const Record&, auto&&... items) {
    write_record(sink, {bytes_in(items)...}, options.max_subrecord_bytes);
  });
}

}  // namespace

Input read_gpp214(std::istream& stream, std::string_view name) {
  RecordReader reader(stream, std::string(name));
  Input input;
  read_records(reader, input, false);
  roofline::require_memory(memory_estimate(input), name);
  read_records(reader, input, true);
  validate(input, name);
  return input;
}

Input read_gpp214(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    roofline::refuse_file(path.string(),
                          "this is not a regular file, but a directory, a pipe or a device. Name a "
                          "gpp214 file.");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    roofline::refuse_file(
        path.string(), fmt::format("it cannot be opened: {}. Check the path and its permissions.",
                                   std::strerror(errno)));
  return read_gpp214(stream, path.string());
}

void write_gpp214(std::ostream& stream, const Input& input, const WriteOptions& options) {
  write_records([&](std::string_view bytes) { stream << bytes; }, input, options);
}

void write_gpp214(const std::filesystem::path& path, const Input& input,
                  const WriteOptions& options) {
  validate_sizes(input, path.string());
  roofline::replace_file(path, [&](std::ostream& stream) { write_gpp214(stream, input, options); });
}

std::string sha256_of(const Input& input) {
  roofline::Sha256 hash;
  write_records([&](std::string_view bytes) { hash.add(bytes.data(), bytes.size()); }, input, {});
  return hash.digest();
}

// ---- Sizes --------------------------------------------------------------------------------------

std::int64_t gpp214_file_bytes(const Input& dimensions, const WriteOptions& options) {
  std::int64_t bytes = 0;
  for_each_record(dimensions, [&](const Record&, auto&&... items) {
    bytes =
        saturating_sum(bytes, framed_bytes(bytes_of_record(items...), options.max_subrecord_bytes));
  });
  return bytes;
}

std::int64_t memory_estimate(const Input& dimensions) {
  constexpr std::int64_t complex = sizeof(Complex), real = sizeof(double);
  const std::int64_t nbands = dimensions.peinf_ntband_dist, ngpown = dimensions.ngpown;
  const std::int64_t ncouls = dimensions.ncouls;
  std::int64_t bytes = sizeof(Input);
  const auto add = [&bytes](std::int64_t rows, std::int64_t columns, std::int64_t each) {
    bytes = saturating_sum(bytes, saturating_product(each, saturating_product(rows, columns)));
  };
  // A PreparedProblem and its copy for variants each have the gathered columns twice, energies and
  // occupations of bands, and weights. The copy has poles and bands of its own, too.
  add(ngpown, nbands, 2 * 2 * complex);
  add(nbands, 1, 2 * ((2 * max_frequencies + 1) * real + std::int64_t{sizeof(int)}));
  add(ngpown, 1, 2 * real);
  add(ncouls, ngpown, 2 * complex);
  add(ncouls, nbands, complex);
  for_each_record(dimensions, [&bytes](const Record&, auto&&... items) {
    bytes = saturating_sum(bytes, bytes_of_record(items...));
  });
  return bytes;
}

}  // namespace gpp
