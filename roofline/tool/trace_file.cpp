#include "roofline/tool/trace_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "roofline/base/error.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/tool/by.h"
#include "roofline/tool/page_tables.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using TraceJson = nlohmann::ordered_json;

/// A viewer shows no longer names; long ones of many launches would fill the disk.
constexpr std::size_t longest_traced = 200;
/// Slices of ranges; of nested ones a launch may end and begin as many as they lie deep.
constexpr std::size_t most_slices = 200'000;

struct TracedLaunch {
  const KernelProfile* kernel;
  const LaunchProfile* launch;

  double end() const { return launch->start + launch->seconds; }
};

/// Launches of one stream of a process, in the order in which they began.
using Track = std::vector<TracedLaunch>;

std::map<std::pair<int, std::int64_t>, Track> tracks_of(const Profile& profile) {
  std::map<std::pair<int, std::int64_t>, Track> tracks;
  for (const KernelProfile& kernel : profile.kernels)
    for (const LaunchProfile& launch : kernel.single)
      tracks[{launch.process, launch.stream}].push_back({&kernel, &launch});
  for (auto& [place, track] : tracks)
    std::ranges::stable_sort(track, {}, [](const TracedLaunch& one) { return one.launch->start; });
  return tracks;
}

std::string traced_name(const std::string& name) {
  return shortened(visible(name), longest_traced);
}

/// A slice of a track, in microseconds.
TraceJson slice(const std::string& name, const char* category, double start, double end,
                int process, int track) {
  return {{"ph", "X"},         {"name", traced_name(name)},  {"cat", category},
          {"ts", 1e6 * start}, {"dur", 1e6 * (end - start)}, {"pid", process},
          {"tid", track}};
}

/// The facts of a launch: its shape, and its place under the roofs where it was counted.
TraceJson arguments_of(const Profile& profile, const TracedLaunch& one) {
  TraceJson json = {{"kernel", traced_name(one.kernel->name)},
                    {"grid", one.launch->grid},
                    {"block", one.launch->block}};
  if (one.launch->range >= 0) json["range"] = traced_name(range_path(profile, one.launch->range));
  const KernelProfile counted = one_launch(profile, *one.kernel, *one.launch);
  if (const auto work = most_work(profile.kind, counted); work && counted.seconds) {
    const std::string& unit = work->model->unit;
    json["operations"] = work->model->title;
    json[fmt::format("G{}/s", unit)] = 1e-9 * work->amount / *counted.seconds;
    for (const Level& level : table_of(profile.kind).levels)
      if (const double bytes = metric_value(counted.metrics, level.traffic).value_or(0); bytes > 0)
        json[fmt::format("{}/B {}", unit, level.label)] = work->amount / bytes;
  }
  if (const auto nearest = nearest_of(profile, counted)) {
    json["nearest roof"] = roof_label(profile, nearest->roof);
    json["% of roof"] = nearest->percent;
  }
  return json;
}

/// The ranges around a launch, outermost first; that for what has none is left out.
std::vector<int> ranges_around(const Profile& profile, int range) {
  std::vector<int> around;
  for (; range >= 0; range = profile.ranges[static_cast<std::size_t>(range)].parent)
    if (!profile.ranges[static_cast<std::size_t>(range)].name.empty()) around.push_back(range);
  std::ranges::reverse(around);
  return around;
}

/// Slices of the ranges of one track. Launches that follow each other in a range share its slice.
class RangeSlices {
 public:
  RangeSlices(const Profile& profile, int process, int track)
      : profile_(profile), process_(process), track_(track) {}

  void launched(const LaunchProfile& launch, double end) {
    const std::vector<int> around = ranges_around(profile_, launch.range);
    std::size_t same = 0;
    while (same < std::min(around.size(), open_.size()) && open_[same].range == around[same])
      ++same;
    close(same, launch.start);
    for (std::size_t i = same; i < around.size(); ++i) open_.push_back({around[i], launch.start});
    end_ = std::max(end_, end);
  }
  /// Kernels of one stream may overlap; slices must not, so they end where the next begins.
  void close(std::size_t left, double next) {
    for (; open_.size() > left; open_.pop_back()) {
      const double end = std::max(open_.back().start, std::min(end_, next));
      if (slices.size() < most_slices)
        slices.push_back(
            slice(range_text(profile_.ranges[static_cast<std::size_t>(open_.back().range)]),
                  "range", open_.back().start, end, process_, track_));
    }
  }

  std::vector<TraceJson> slices;

 private:
  struct OpenSlice {
    int range;
    double start;
  };

  const Profile& profile_;
  int process_, track_;
  std::vector<OpenSlice> open_;
  double end_ = 0;  // of the last launch
};

TraceJson named_track(const char* what, int process, int track, const std::string& name) {
  return {{"ph", "M"},
          {"name", what},
          {"pid", process},
          {"tid", track},
          {"args", {{"name", traced_name(name)}}}};
}

void add_track(const Profile& profile, const Track& track, int process, int number,
               TraceJson& events) {
  const std::string stream = fmt::format("stream {}", track.front().launch->stream);
  RangeSlices ranges(profile, process, number);
  for (const TracedLaunch& one : track) {
    ranges.launched(*one.launch, one.end());
    TraceJson event = slice(label_of(*one.kernel, longest_traced), "kernel", one.launch->start,
                            one.end(), process, number + 1);
    event["args"] = arguments_of(profile, one);
    events.push_back(std::move(event));
  }
  ranges.close(0, track.back().launch->start + track.back().launch->seconds);
  if (!ranges.slices.empty()) {
    events.push_back(named_track("thread_name", process, number, stream + ": ranges"));
    for (TraceJson& one : ranges.slices) events.push_back(std::move(one));
  }
  events.push_back(named_track("thread_name", process, number + 1, stream));
}

}  // namespace

std::string trace_text(const Profile& profile) {
  if (const std::string none = none_by(profile, By::launch); !none.empty()) throw InputError(none);
  TraceJson events = TraceJson::array();
  int number = 1, named = 0;
  for (const auto& [place, track] : tracks_of(profile)) {
    if (std::exchange(named, place.first) != place.first)
      events.push_back(named_track("process_name", place.first, 0,
                                   fmt::format("{} on {}", profile.program, profile.device)));
    add_track(profile, track, place.first, number, events);
    number += 2;
  }
  TraceJson trace = {{"displayTimeUnit", "ns"},
                     {"otherData",
                      {{"recorded", profile.created},
                       {"launches_left_out", profile.launches_left_out},
                       {"roofs", profile.ceilings ? whose_roofs(profile) : "not known"}}}};
  trace["traceEvents"] = std::move(events);
  return trace.dump() + "\n";
}

void check_trace_file(const fs::path& file) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error)))
    throw InputError(visible(file.string()) + " is there already; name another file for the trace");
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error) || access(folder.c_str(), W_OK | X_OK) != 0)
    throw InputError(
        fmt::format("{}: no trace can be written into this folder", visible(folder.string())));
}

std::string write_trace(const Profile& profile, const fs::path& file) {
  check_trace_file(file);
  write_whole(file, trace_text(profile));
  return fmt::format("Trace: {}; ui.perfetto.dev opens it\n", visible(file.string()));
}

}  // namespace roofline
