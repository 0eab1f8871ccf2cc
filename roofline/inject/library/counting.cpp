#include "roofline/inject/library/counting.h"

#include "roofline/cupti/driver.h"
#include "roofline/recorder.h"

namespace roofline::inject {
namespace {

/// Kernels of one launch: one, or those of a graph. What a graph has beyond is dropped and said.
constexpr std::size_t most_ranges = 256;

}  // namespace

struct Counting::Place {
  cupti::Plan plan;
  cupti::HostApi host;
  cupti::RangeProfiler profiler;
  cupti::Bytes data;

  Place(const cupti::Functions& functions, CUcontext context, const std::string& chip,
        cupti::Plan made)
      : plan(std::move(made)),
        host(functions, chip),
        profiler(functions, context),
        data(profiler.counter_data(plan.names, most_ranges)) {}

  void start() {
    profiler.clear(data);
    profiler.configure_kernels(plan.config, data, most_ranges);
    profiler.start();
  }
};

Counting::Counting(const cupti::Functions& functions, Channel& channel, Chooser& chooser)
    : functions_(functions), channel_(channel), chooser_(chooser) {}

Counting::~Counting() = default;

Counting::Place& Counting::place_of(CUcontext context) {
  std::unique_ptr<Place>& place = places_[context];
  if (place != nullptr) return *place;
  if (profiling_ == nullptr) profiling_ = std::make_unique<cupti::Profiling>(functions_);
  const CUdevice device = cupti::current_target().device;
  cupti::check_device(functions_, device);
  const std::string chip = cupti::chip_name(functions_, device);
  cupti::Plan plan =
      cupti::plan(functions_, chip, cupti::counter_availability(functions_, context),
                  channel_.task().counters);
  if (plan.names.empty()) throw RecorderError(chip + " has none of the counters asked for");
  channel_.send({.device = Seen::Device{device_name(), plan.names, plan.passes, plan.missing}});
  place = std::make_unique<Place>(functions_, context, chip, std::move(plan));
  return *place;
}

void Counting::before(const Launch& launch) {
  std::unique_lock lock(mutex_);
  ++launches_;
  counting_ = nullptr;
  if (launch.graph ? chooser_.chosen() : chooser_.chosen(launch.kernel)) {
    Place& place = place_of(launch.context);
    place.start();
    counting_ = &place;
  }
  lock.release();
}

void Counting::after(const Launch& launch, bool ran) {
  const std::unique_lock lock(mutex_, std::adopt_lock);
  if (counting_ == nullptr) return;
  Place& place = *counting_;
  counting_ = nullptr;
  place.profiler.stop();
  if (ran) send_ranges(place, launch);
}

void Counting::send_ranges(Place& place, const Launch& launch) {
  const std::size_t dropped = place.profiler.decode();
  const std::size_t ranges = cupti::number_of_ranges(functions_, place.data);
  Seen seen;
  seen.launches = launches_;
  if (dropped > 0) seen.note = "CUPTI dropped some kernels: their counts are missing";
  if (ranges == 0) seen.note = "CUPTI counted nothing of some launches";
  for (std::size_t range = 0; range < ranges; ++range) {
    seen.launch = Seen::Launch{channel_.kernel(launch.graph ? "CUDA graph" : launch.kernel), {}};
    for (const std::string& name : place.plan.names)
      seen.launch->values.push_back(place.host.value(place.data, range, name));
    channel_.send(seen);
    seen = {};
  }
  if (ranges == 0 || dropped > 0) channel_.send(seen);
}

void Counting::context_ends(CUcontext context) {
  const std::scoped_lock lock(mutex_);
  places_.erase(context);
}

}  // namespace roofline::inject
