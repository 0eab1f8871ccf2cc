#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "data/foreign_format.h"
#include "data/gpp214.h"
#include "data/gpp214_records.h"
#include "data/memory.h"
#include "data/validate.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"

namespace gpp {
namespace {

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

void require_regular_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::regular) return;
  const std::string what =
      type == std::filesystem::file_type::not_found ? "there is no such file. Check the path."
      : error
          ? fmt::format("it cannot be looked at: {}. Check its permissions.", error.message())
          : "this is not a regular file, but a directory, a pipe or a device. Name a gpp214 file.";
  throw roofline::InputError(fmt::format("{}: {}", path.string(), what));
}

}  // namespace

Input read_gpp214(std::istream& stream, std::string_view name) {
  RecordReader reader(stream, std::string(name));
  const std::string foreign = foreign_format(reader.head(foreign_format_bytes));
  if (!foreign.empty()) throw roofline::InputError(fmt::format("{}: {}", name, foreign));

  Input input;
  read_records(reader, input, false);
  roofline::require_memory(memory_estimate(input), name);
  read_records(reader, input, true);
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
