#include "roofline/inject/tally.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/saturating.h"
#include "roofline/base/visible.h"
#include "roofline/inject/limits.h"

namespace roofline::inject {
namespace {

/// The beginning of a text, made printable, even if a character is cut in two.
std::string beginning(const std::string& text, std::size_t bytes) {
  return text.size() <= bytes ? text : visible(text.substr(0, bytes));
}

/// The tally's copy of a name, at a fixed address; other_kernels if there is no room.
const std::string& kept_name(const std::string& name, Tally& tally) {
  if (const auto known = tally.names.find(name); known != tally.names.end()) return *known;
  if (tally.names.size() >= limits::names || tally.name_bytes + name.size() > limits::name_bytes)
    return other_kernels;
  tally.name_bytes += name.size();
  return *tally.names.insert(name).first;
}

/// The number in the tally's tree of a process's range.
std::int64_t range_in(const Connection& connection, std::int64_t range) {
  if (range < 0 || range > static_cast<std::int64_t>(connection.ranges.size()))
    throw InputError("the program's process told of a range that it never named");
  return range == 0 ? 0 : connection.ranges[static_cast<std::size_t>(range - 1)];
}

/// Kernels are numbered from 0 in each process, so that an array can hold them.
void add_kernel(const SeenKernel& kernel, Connection& connection, Tally& tally) {
  if (kernel.id != connection.named)
    throw InputError(fmt::format("the program's process named kernel {} where {} was due",
                                 kernel.id, connection.named));
  ++connection.named;
  if (connection.kernels.size() < limits::names)
    connection.kernels.push_back(&kept_name(beginning(kernel.name, limits::name), tally));
}

/// A range without room in the tally's tree is replaced by its parent.
void add_range(const SeenRange& range, Connection& connection, Tally& tally) {
  const auto known = static_cast<std::int64_t>(connection.ranges.size());
  if (range.id != known + 1 || range.parent > known)
    throw InputError(
        fmt::format("the program's process named range {} in range {} where {} was due", range.id,
                    range.parent, known + 1));
  if (connection.ranges.size() >= limits::ranges)
    throw InputError("the program's process named more ranges than it may");
  connection.ranges.push_back(tally.ranges.below(
      range_in(connection, range.parent), {beginning(range.range.domain, limits::range_name),
                                           beginning(range.range.name, limits::range_name)}));
  if (tally.ranges.full())
    add_note(
        "There were more NVTX ranges than are kept: what was launched in others is with the "
        "ranges around them",
        tally);
}

/// The tally of a kernel in a range. Kernels without room share one.
KernelTally& tally_in(GroupTally& group, const KernelKey& key, Tally& tally) {
  if (const auto known = group.find(key); known != group.end()) return known->second;
  if (tally.in_groups >= limits::in_groups) return group[KernelKey(other_kernels, "", key.rank)];
  ++tally.in_groups;
  return group[key];
}

KernelTally& tally_in_range(std::int64_t range, const KernelKey& key, Tally& tally) {
  while (range > 0 && tally.in_ranges.size() >= limits::ranges_of_ranks &&
         !tally.in_ranges.contains({key.rank, range}))
    range = tally.ranges[range].parent;
  return tally_in(tally.in_ranges[{key.rank, range}], key, tally);
}

const std::string& name_of(std::int64_t kernel, const Connection& connection) {
  if (kernel < 0 || kernel >= connection.named)
    throw InputError("the program's process told of a kernel that it never named");
  const auto place = static_cast<std::size_t>(kernel);
  return place < connection.kernels.size() ? *connection.kernels[place] : other_kernels;
}

/// The key for a kernel name, or that of other_kernels if there is no room.
KernelKey key_of(std::int64_t kernel, const std::string& gpu, const Connection& connection,
                 const Tally& tally) {
  const KernelKey key(name_of(kernel, connection), gpu, connection.rank);
  const bool room = tally.kernels.size() < limits::kernels || tally.kernels.contains(key);
  return room ? key : KernelKey(other_kernels, gpu, connection.rank);
}

/// The device with the given number, or else the last one that the process reported.
const std::string& gpu_of(int number, const Connection& connection) {
  const auto known = connection.gpus.find(number);
  return known == connection.gpus.end() ? connection.gpu : known->second;
}

void add_device(const SeenDevice& device, Connection& connection, Tally& tally) {
  for (const std::string& counter : device.counters)
    if (!tally.asked.contains(counter))
      throw InputError(
          fmt::format("the program's process told of the counter '{:.{}}', which nobody asked for",
                      counter, limits::note / 2));
  const std::string gpu =
      device.uuid.empty() ? fmt::format("{} {}", device.name, device.number) : device.uuid;
  if (tally.gpus.size() < limits::devices || tally.gpus.contains(gpu)) {
    tally.gpus.emplace(gpu, SeenGpu{device.name, device.number, device.compute_capability});
    connection.gpus[device.number] = connection.gpu = gpu;
  }
  tally.missing = device.missing;
  tally.passes = device.passes;
  tally.most_passes = device.most_passes;
  connection.counters = device.counters;
}

void add_launch(const SeenLaunch& launch, const Connection& connection, Tally& tally) {
  if (launch.values.size() != connection.counters.size())
    throw InputError(fmt::format("the program's process sent {} values for {} counters",
                                 launch.values.size(), connection.counters.size()));
  const std::int64_t range = range_in(connection, launch.range);
  const KernelKey key = key_of(launch.kernel, connection.gpu, connection, tally);
  ++tally.watched;
  for (KernelTally* of : {&tally.kernels[key], &tally_in_range(range, key, tally)}) {
    ++of->launches;
    for (std::size_t i = 0; i < launch.values.size(); ++i) {
      of->counters[connection.counters[i]] += launch.values[i];
      if (!std::isfinite(launch.values[i])) of->lost.insert(connection.counters[i]);
    }
  }
}

void add_form(const SeenTime& time, KernelTally& kernel, Tally& tally) {
  const bool fresh = !kernel.forms.contains(time.form);
  if (fresh && (kernel.forms.size() >= limits::forms || tally.forms >= limits::all_forms)) {
    kernel.more_forms = true;
    return;
  }
  tally.forms += fresh ? 1 : 0;
  auto& [launches, seconds] = kernel.forms[time.form];
  launches = saturating_sum(launches, time.launches);
  seconds += time.seconds;
}

void add_time(const SeenTime& time, const Connection& connection, Tally& tally) {
  const std::int64_t range = range_in(connection, time.range);
  const std::string& gpu = gpu_of(time.device, connection);
  const KernelKey key = key_of(time.kernel, gpu, connection, tally);
  KernelTally& kernel = tally.kernels[key];
  for (KernelTally* of : {&kernel, &tally_in_range(range, key, tally)}) {
    of->launches = saturating_sum(of->launches, time.launches);
    of->seconds += time.seconds;
  }
  tally.watched = saturating_sum(tally.watched, time.launches);
  add_form(time, kernel, tally);
}

void add_lost(const std::string& text, LinesTally& tally) {
  if (tally.lost.size() < limits::notes) tally.lost.insert(beginning(text, limits::note));
}

void add_lines(const LinesRecord& seen, LinesTally& tally) {
  tally.period = seen.period;
  tally.dropped += seen.dropped;
  tally.elsewhere += seen.elsewhere;
  tally.counted.insert(seen.counted.begin(), seen.counted.end());
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
  if (seen.rank >= 0 && tally.by_rank) connection.rank = seen.rank;
  if (seen.device) add_device(*seen.device, connection, tally);
  if (seen.kernel) add_kernel(*seen.kernel, connection, tally);
  if (seen.range) add_range(*seen.range, connection, tally);
  if (seen.launch) add_launch(*seen.launch, connection, tally);
  for (const SeenTime& time : seen.times) add_time(time, connection, tally);
  if (seen.lines) add_lines(*seen.lines, tally.lines);
  if (seen.launches > connection.launches) {
    tally.launches = saturating_sum(tally.launches, seen.launches - connection.launches);
    connection.launches = seen.launches;
  }
  if (!seen.refused.empty()) tally.refused = beginning(seen.refused, limits::note);
  if (seen.busy) tally.busy.insert(connection.gpu);
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
