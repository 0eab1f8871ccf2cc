#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#include "data/foreign_format.h"
#include "data/gpp214.h"
#include "data/gpp214_records.h"
#include "data/memory.h"
#include "data/validate.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

void read_item(RecordReader& reader, std::int32_t& value) { reader.read(&value, sizeof(value)); }
void read_item(RecordReader& reader, double& value) { reader.read(&value, sizeof(value)); }
void read_item(RecordReader& reader, std::array<Complex, 3>& values) {
  reader.read(values.data(), bytes_of_item(values));
}
template <class Vector>
void read_item(RecordReader& reader, const ArrayItem<Vector>& item) {
  item.values.resize(static_cast<std::size_t>(item.count()));
  reader.read(item.values.data(), bytes_of_item(item));
}
void read_item(RecordReader& reader, const RepeatedItem& item) {
  std::int32_t again = 0;
  reader.read(&again, sizeof(again));
  if (again == item.value) return;
  throw roofline::InputError(
      fmt::format("{}: record 7 (indinv): it begins with gvec_ng = {}, but record 1 says {}. The "
                  "file is damaged: copy it again from its source, or generate it again.",
                  reader.name(), again, item.value));
}

/// Goes from marker to marker through the whole stream. Reads only the dimensions.
void check_structure(RecordReader& reader, Input& input) {
  for_each_record(input, [&](const Record& record, auto&&... items) {
    const bool dimensions = record.number <= 2;
    const std::int64_t bytes = bytes_of_record(items...);
    reader.begin(record, bytes);
    if constexpr ((std::is_same_v<std::remove_reference_t<decltype(items)>, std::int32_t> && ...)) {
      if (dimensions) (read_item(reader, items), ...);
    }
    if (!dimensions) reader.skip(bytes);
    reader.end();
    if (record.number == 2) validate_dimensions(input, reader.name());
  });
  reader.expect_end();
}

void read_content(RecordReader& reader, Input& input) {
  reader.rewind();
  for_each_record(input, [&](const Record& record, auto&&... items) {
    reader.begin(record, bytes_of_record(items...));
    (read_item(reader, items), ...);
    reader.end();
  });
}

void require_regular_file(const std::filesystem::path& path) {
  using std::filesystem::file_type;
  std::error_code error;
  const file_type type = std::filesystem::status(path, error).type();
  if (type == file_type::regular) return;
  const std::string what =
      type == file_type::not_found ? "there is no such file. Check the path."
      : error
          ? "it cannot be looked at: " + error.message() + ". Check the path and its permissions."
      : type == file_type::directory ? "this is a directory. Name a gpp214 file in it."
                                     : "this is not a regular file (a pipe or a device, perhaps). "
                                       "Copy its content into a file and name that.";
  throw roofline::InputError(fmt::format("{}: {}", path.string(), what));
}

}  // namespace

Input read_gpp214(std::istream& stream, std::string_view name) {
  RecordReader reader(stream, std::string(name));
  const std::string foreign = foreign_format(reader.head(foreign_format_bytes));
  if (!foreign.empty()) throw roofline::InputError(fmt::format("{}: {}", name, foreign));

  Input input;
  check_structure(reader, input);
  const std::int64_t bytes = memory_estimate(input);
  roofline::require_memory(bytes, name);
  try {
    read_content(reader, input);
  } catch (const std::bad_alloc&) {
    throw roofline::InputError(
        fmt::format("{}: computing it needs {} of memory, which the system refuses to "
                    "give. Free some, lift the limit, or use a smaller input.",
                    name, roofline::describe_bytes(bytes)));
  }
  validate(input, name);
  return input;
}

Input read_gpp214(const std::filesystem::path& path) {
  require_regular_file(path);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw roofline::InputError(fmt::format("{}: it cannot be opened: {}. Check its permissions.",
                                           path.string(), std::strerror(errno)));
  return read_gpp214(stream, path.string());
}

}  // namespace gpp
