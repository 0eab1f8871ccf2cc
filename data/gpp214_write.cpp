#include <ostream>

#include "data/gpp214.h"
#include "data/gpp214_records.h"
#include "data/validate.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/sha256.h"

namespace gpp {
namespace {

template <class Plain>
void write_item(RecordWriter& writer, const Plain& value) {
  writer.write(&value, sizeof(value));
}
void write_item(RecordWriter& writer, const RepeatedItem& item) { write_item(writer, item.value); }
template <class Vector>
void write_item(RecordWriter& writer, const ArrayItem<Vector>& item) {
  writer.write(item.values.data(), bytes_of_item(item));
}

void write_records(const ByteSink& sink, const Input& input, const WriteOptions& options) {
  validate_sizes(input, "the input to be written");
  RecordWriter writer(sink, options.max_subrecord_bytes);
  for_each_record(input, [&](const Record&, auto&&... items) {
    writer.begin(bytes_of_record(items...));
    (write_item(writer, items), ...);
    writer.end();
  });
}

}  // namespace

std::int64_t gpp214_file_bytes(const Input& dimensions, const WriteOptions& options) {
  std::int64_t bytes = 0;
  for_each_record(dimensions, [&](const Record&, auto&&... items) {
    bytes = roofline::saturating_sum(
        bytes, RecordWriter::framed_bytes(bytes_of_record(items...), options.max_subrecord_bytes));
  });
  return bytes;
}

void write_gpp214(std::ostream& stream, const Input& input, const WriteOptions& options) {
  write_records([&](const char* bytes, std::int64_t count) { stream.write(bytes, count); }, input,
                options);
}

void write_gpp214(const std::filesystem::path& path, const Input& input,
                  const WriteOptions& options) {
  validate_sizes(input, path.string());
  roofline::replace_file(path, [&](std::ostream& stream) { write_gpp214(stream, input, options); });
}

std::string sha256_of(const Input& input) {
  roofline::Sha256 hash;
  write_records([&](const char* bytes,
                    std::int64_t count) { hash.add(bytes, static_cast<std::size_t>(count)); },
                input, {});
  return hash.digest();
}

}  // namespace gpp
