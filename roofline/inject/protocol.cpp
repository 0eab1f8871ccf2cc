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
  field("ranks", task.ranks, Whole{-1, limits::ranks - 1});
  field("lines", task.lines, Choice{{"samples", "instructions"}});
  field("period", task.period, Whole{0, 31});
}

void fields(Fields& field, SeenDevice& device) {
  field("name", device.name, short_text);
  field(may_lack("number"), device.number, Whole{});
  field(may_lack("uuid"), device.uuid, short_text);
  field(may_lack("compute_capability"), device.compute_capability, Whole{});
  field("counters", device.counters, any_text);
  field("passes", device.passes, Whole{});
  field("most_passes", device.most_passes, Whole{});
  field("missing", device.missing);
}

void fields(Fields& field, SeenKernel& kernel) {
  field("id", kernel.id, any_size);
  field("name", kernel.name, any_text);
}

void fields(Fields& field, SeenRange& range) {
  field("id", range.id, any_size);
  field("parent", range.parent, any_size);
  field("domain", range.range.domain, any_text);
  field("name", range.range.name, any_text);
}

void fields(Fields& field, SeenLaunch& launch) {
  field("kernel", launch.kernel, any_size);
  field("values", launch.values, OrNull{bounds::count});
  field(may_lack("range"), launch.range, any_size);
}

void fields(Fields& field, SeenTime& time) {
  field("kernel", time.kernel, any_size);
  field("launches", time.launches, Whole{1, bounds::large});
  field("seconds", time.seconds, bounds::seconds);
  field("device", time.device, Whole{});
  field("form", time.form);
  field(may_lack("range"), time.range, any_size);
}

void fields(Fields& field, Seen& seen) {
  field("device", seen.device);
  field("kernel", seen.kernel);
  field("launch", seen.launch);
  field("range", seen.range);
  field(may_lack("times"), seen.times);
  field("lines", seen.lines);
  field(may_lack("launches"), seen.launches, Whole{-1, bounds::large});
  field(may_lack("rank"), seen.rank, Whole{-1, limits::ranks - 1});
  field(may_lack("refused"), seen.refused, any_text);
  field(may_lack("busy"), seen.busy);
  field(may_lack("note"), seen.note, any_text);
}

std::string task_packet(const Task& task) { return facts_text(task); }

Task read_task(const std::string& packet) { return read_text<Task>(packet, "roofline record"); }

std::string seen_packet(const Seen& seen) { return facts_text(seen); }

Seen read_seen(const std::string& packet) {
  return read_text<Seen>(packet, "the program's process");
}

}  // namespace roofline::inject
