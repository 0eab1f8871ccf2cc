#include "roofline/inject/library/counting.h"

#include <algorithm>
#include <limits>

#include "roofline/cupti/driver.h"
#include "roofline/recorder.h"

namespace roofline::inject {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

struct Counting::Chip {
  cupti::HostApi host;
  cupti::Plan all;
  cupti::Plan usual;
  std::string sign;  ///< empty where the chip lacks it: then all is counted always

  Chip(const cupti::Functions& functions, const std::string& name, const cupti::Bytes& availability,
       const Task& task)
      : host(functions, name) {
    std::vector<std::string> names = task.counters;
    if (!task.further.sign.empty()) names.push_back(task.further.sign);
    usual = cupti::plan(functions, name, availability, names);
    names.insert(names.end(), task.further.counters.begin(), task.further.counters.end());
    all = cupti::plan(functions, name, availability, names);
    if (all.names.empty()) throw RecorderError(name + " has none of the counters asked for");
    if (holds(usual.names, task.further.sign)) sign = task.further.sign;
  }
};

struct Counting::Place {
  CUcontext context;
  Chip& chip;
  cupti::RangeProfiler profiler;
  cupti::Bytes all, usual;  ///< room for the values of one launch

  Place(const cupti::Functions& functions, CUcontext where, Chip& how)
      : context(where),
        chip(how),
        profiler(functions, where),
        all(profiler.counter_data(how.all.names)),
        usual(profiler.counter_data(how.usual.names)) {}

  cupti::Bytes& data(bool with_all) { return with_all ? all : usual; }
  void start(bool with_all) {
    cupti::Bytes& room = data(with_all);
    profiler.clear(room);
    profiler.configure_kernels((with_all ? chip.all : chip.usual).config, room, 1);
    profiler.start();
  }
};

Counting::Counting(const cupti::Functions& functions, Channel& channel, Chooser& chooser)
    : functions_(functions), channel_(channel), chooser_(chooser) {}

Counting::~Counting() = default;

Counting::Chip& Counting::chip_of(CUcontext context) {
  if (profiling_ == nullptr) profiling_ = std::make_unique<cupti::Profiling>(functions_);
  const CUdevice device = cupti::current_target().device;
  cupti::check_device(functions_, device);
  const std::string name = cupti::chip_name(functions_, device);
  std::unique_ptr<Chip>& chip = chips_[name];
  if (chip != nullptr) return *chip;
  chip = std::make_unique<Chip>(functions_, name, cupti::counter_availability(functions_, context),
                                channel_.task());
  channel_.send({.device = Seen::Device{device_name(), chip->all.names, chip->usual.passes,
                                        chip->all.passes, chip->all.missing}});
  return *chip;
}

void Counting::enter(CUcontext context) {
  if (place_ != nullptr && place_->context == context) return;
  place_.reset();
  place_ = std::make_unique<Place>(functions_, context, chip_of(context));
}

void Counting::before(const Launch& launch) {
  std::unique_lock lock(mutex_);
  ++launches_;
  counting_ = false;
  if (launch.graph ? chooser_.chosen() : chooser_.chosen(launch.kernel)) {
    if (launch.graph) {  // CUPTI replays single kernels
      channel_.send({.launches = launches_,
                     .note = "Kernels that ran within CUDA graphs were timed and not counted: "
                             "CUPTI repeats kernels launched one by one. Run the program without "
                             "graphs to count them"});
    } else {
      enter(launch.context);
      const auto known = needs_all_.find(launch.kernel);
      with_all_ = place_->chip.sign.empty() || known == needs_all_.end() || known->second;
      place_->start(with_all_);
      counting_ = true;
    }
  }
  lock.release();
}

void Counting::after(const Launch& launch, bool ran) {
  const std::unique_lock lock(mutex_, std::adopt_lock);
  if (!counting_) return;
  counting_ = false;
  place_->profiler.stop();
  if (ran) send_counts(launch);
}

void Counting::send_counts(const Launch& launch) {
  place_->profiler.decode();
  const Chip& chip = place_->chip;
  const cupti::Bytes& data = place_->data(with_all_);
  if (cupti::number_of_ranges(functions_, data) == 0) {
    channel_.send({.launches = launches_, .note = "CUPTI counted nothing of some launches"});
    return;
  }
  const bool needs_all = chip.sign.empty() || chip.host.value(data, 0, chip.sign) != 0;
  needs_all_[launch.kernel] = needs_all;
  Seen::Launch counts{channel_.kernel(launch.kernel), {}};
  for (const std::string& name : chip.all.names) {
    if (with_all_ || holds(chip.usual.names, name))
      counts.values.push_back(chip.host.value(data, 0, name));
    else  // all of these are zero where their sign is
      counts.values.push_back(needs_all ? unknown : 0);
  }
  channel_.send({.launch = std::move(counts), .launches = launches_});
}

void Counting::context_ends(CUcontext context) {
  const std::scoped_lock lock(mutex_);
  if (place_ != nullptr && place_->context == context) place_.reset();
}

}  // namespace roofline::inject
