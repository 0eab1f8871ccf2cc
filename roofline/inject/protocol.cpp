#include "roofline/inject/protocol.h"

#include <limits>

#include "roofline/inject/limits.h"
#include "roofline/record/fields.h"
#include "roofline/record/lines.h"

namespace roofline::inject {

void fields(Fields& field, Task& task) {
  field("counters", task.counters, any_text);
  field("sign", task.further.sign, any_text);
  field("harmless", task.further.harmless, any_text);
  field("further", task.further.counters, any_text);
  field("kernel", task.selection.kernel, as_it_is);
  field("nvtx", task.selection.nvtx, as_it_is);
  field("from_start", task.selection.from_start);
  field("first", task.selection.first, Whole{0, std::numeric_limits<std::int64_t>::max()});
  field("last", task.selection.last, Whole{0, std::numeric_limits<std::int64_t>::max()});
  field("lines", task.lines, Choice{{"samples", "instructions"}});
  field("period", task.period, Whole{0, 31});
  field("folder", task.folder, as_it_is);
}

void fields(Fields& field, SeenDevice& device) {
  field("name", device.name, short_text);
  field("counters", device.counters, any_text);
  field("passes", device.passes, Whole{});
  field("most_passes", device.most_passes, Whole{});
  field("missing", device.missing);
}

void fields(Fields& field, SeenKernel& kernel) {
  field("id", kernel.id, any_size);
  field("name", kernel.name, any_text);
}

void fields(Fields& field, SeenLaunch& launch) {
  field("kernel", launch.kernel, any_size);
  field("values", launch.values, OrNull{bounds::count});
}

void fields(Fields& field, SeenTime& time) {
  field("kernel", time.kernel, any_size);
  field("launches", time.launches, Whole{1, bounds::large});
  field("seconds", time.seconds, bounds::seconds);
  field(may_lack("graph"), time.graph, Whole{no_graph, bounds::large});
}

void fields(Fields& field, SeenCode& code) {
  field("file", code.file, any_text);
  field("symbol", code.symbol, Text{limits::name, Text::Letters::as_it_is});
  field("cubin", code.cubin, name_or_empty);
}

void fields(Fields& field, SeenLines& seen) {
  field("period", seen.period, Whole{0, std::int64_t{1} << 31});
  field("dropped", seen.dropped, any_size);
  field("elsewhere", seen.elsewhere, any_size);
  lines_fields(field, seen.lines, seen.counted);
  field("code", seen.code);
  field("lost", seen.lost, any_text);
}

void fields(Fields& field, Seen& seen) {
  field("device", seen.device);
  field("kernel", seen.kernel);
  field("launch", seen.launch);
  field(may_lack("times"), seen.times);
  field("lines", seen.lines);
  field(may_lack("launches"), seen.launches, Whole{-1, bounds::large});
  field(may_lack("refused"), seen.refused, any_text);
  field(may_lack("note"), seen.note, any_text);
}

std::string task_packet(const Task& task) { return facts_text(task); }

Task read_task(const std::string& packet) { return read_text<Task>(packet, "roofline record"); }

std::string seen_packet(const Seen& seen) { return facts_text(seen); }

Seen read_seen(const std::string& packet) {
  return read_text<Seen>(packet, "the program's process");
}

}  // namespace roofline::inject
