#include "roofline/inject/tally.h"

#include <fmt/format.h>

#include <cmath>

#include "roofline/base/error.h"
#include "roofline/base/saturating.h"
#include "roofline/base/visible.h"
#include "roofline/inject/limits.h"

namespace roofline::inject {
namespace {

const std::string other_kernels = "(other kernels)";

/// The beginning of a text that is fit to be shown, and stays so where a letter is cut in two.
std::string beginning(const std::string& text, std::size_t bytes) {
  return text.size() <= bytes ? text : visible(text.substr(0, bytes));
}

/// The name as the tally keeps it, which stays where it is; that of the others where there is no
/// room for it.
const std::string& kept_name(const std::string& name, Tally& tally) {
  if (const auto known = tally.names.find(name); known != tally.names.end()) return *known;
  if (tally.names.size() >= limits::names || tally.name_bytes + name.size() > limits::name_bytes)
    return other_kernels;
  tally.name_bytes += name.size();
  return *tally.names.insert(name).first;
}

/// Processes number their kernels from 0 on, so that what is kept of them is small.
void add_kernel(const SeenKernel& kernel, Connection& connection, Tally& tally) {
  if (kernel.id != connection.named)
    throw InputError(fmt::format("the program's process named kernel {} where {} was due",
                                 kernel.id, connection.named));
  ++connection.named;
  if (connection.kernels.size() < limits::names)
    connection.kernels.push_back(&kept_name(beginning(kernel.name, limits::name), tally));
}

const std::string& name_of(std::int64_t kernel, const Connection& connection) {
  if (kernel < 0 || kernel >= connection.named)
    throw InputError("the program's process told of a kernel that it never named");
  const auto place = static_cast<std::size_t>(kernel);
  return place < connection.kernels.size() ? *connection.kernels[place] : other_kernels;
}

void add_device(const SeenDevice& device, Connection& connection, Tally& tally) {
  for (const std::string& counter : device.counters)
    if (!tally.asked.contains(counter))
      throw InputError(
          fmt::format("the program's process told of the counter '{:.{}}', which nobody asked for",
                      counter, limits::note / 2));
  if (tally.devices.size() < limits::devices) tally.devices.insert(device.name);
  tally.missing = device.missing;
  tally.passes = device.passes;
  tally.most_passes = device.most_passes;
  connection.counters = device.counters;
}

void add_launch(const SeenLaunch& launch, const Connection& connection, Tally& tally) {
  if (launch.values.size() != connection.counters.size())
    throw InputError(fmt::format("the program's process sent {} values for {} counters",
                                 launch.values.size(), connection.counters.size()));
  KernelTally& kernel = tally.kernels[name_of(launch.kernel, connection)];
  ++kernel.launches;
  ++tally.watched;
  for (std::size_t i = 0; i < launch.values.size(); ++i) {
    kernel.counters[connection.counters[i]] += launch.values[i];
    if (!std::isfinite(launch.values[i])) kernel.lost.insert(connection.counters[i]);
  }
}

void add_time(const SeenTime& time, KernelTally& kernel) {
  kernel.launches = saturating_sum(kernel.launches, time.launches);
  kernel.seconds += time.seconds;
}

void add_time(const SeenTime& time, const Connection& connection, Tally& tally) {
  const std::string& name = name_of(time.kernel, connection);
  GraphTally* const graph =
      time.graph == no_graph ? nullptr : &tally.graphs[name_of(time.graph, connection)];
  if (graph != nullptr && time.graph == time.kernel) {
    graph->launches = saturating_sum(graph->launches, time.launches);
    return;
  }
  if (graph != nullptr && (graph->kernels.contains(name) || tally.within < limits::names)) {
    tally.within += graph->kernels.contains(name) ? 0 : 1;
    add_time(time, graph->kernels[name]);
  }
  add_time(time, tally.kernels[name]);
  tally.watched = saturating_sum(tally.watched, time.launches);
}

void add_lost(const std::string& text, LinesTally& tally) {
  if (tally.lost.size() < limits::notes) tally.lost.insert(beginning(text, limits::note));
}

void add_lines(const SeenLines& seen, LinesTally& tally) {
  tally.period = seen.period;
  tally.dropped = saturating_sum(tally.dropped, seen.dropped);
  tally.elsewhere = saturating_sum(tally.elsewhere, seen.elsewhere);
  tally.counted.insert(seen.counted.begin(), seen.counted.end());
  for (const SeenCode& code : seen.code)
    if (tally.code.size() < limits::functions) tally.code.emplace(code.file, code);
  for (const LineEvidence& line : seen.lines)
    if (tally.lines.size() < most_lines || tally.lines.has(line))
      tally.lines.add(line);
    else
      add_lost(fmt::format("lines beyond the first {}", most_lines), tally);
  for (const std::string& lost : seen.lost) add_lost(lost, tally);
}

}  // namespace

void add_packet(const std::string& packet, Connection& connection, Tally& tally) {
  const Seen seen = read_seen(packet);
  if (seen.device) add_device(*seen.device, connection, tally);
  if (seen.kernel) add_kernel(*seen.kernel, connection, tally);
  if (seen.launch) add_launch(*seen.launch, connection, tally);
  for (const SeenTime& time : seen.times) add_time(time, connection, tally);
  if (seen.lines) add_lines(*seen.lines, tally.lines);
  if (seen.launches > connection.launches) {
    tally.launches = saturating_sum(tally.launches, seen.launches - connection.launches);
    connection.launches = seen.launches;
  }
  if (!seen.refused.empty()) tally.refused = beginning(seen.refused, limits::note);
  if (!seen.note.empty()) add_note(seen.note, tally);
}

void add_note(const std::string& note, Tally& tally) {
  const std::string kept = beginning(note, limits::note);
  if (tally.notes.size() < limits::notes || tally.notes.contains(kept))
    tally.notes.insert(kept);
  else
    tally.notes.insert("There were more notes than these");
}

}  // namespace roofline::inject
