// Samples or counts a program's machine instructions and assigns them to source lines inside the
// program, which has the machine code. Only lines are sent.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/cupti/api.h"
#include "roofline/cupti/code_watch.h"
#include "roofline/cupti/listeners.h"
#include "roofline/cupti/session.h"
#include "roofline/inject/library/watcher.h"

namespace roofline::inject {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t lines_in_packet = 40;    // packets have a limited length
constexpr std::size_t longest_function = 300;  // template names can be very long

/// Lines found so far are sent when the program waits for the device, so that a sudden end loses
/// few: at most this often, and in at most a tenth of the time.
constexpr std::chrono::seconds pause{1};
constexpr int share_of_pause = 10;

/// True while this thread runs a function below, to ignore the callbacks caused by it.
thread_local bool busy = false;

/// True for a file of the program, false for headers of the toolkit and of installed libraries.
bool is_own(const std::string& file) {
  for (const char* folder : {"/usr/", "/opt/"})
    if (file.starts_with(folder)) return false;
  for (const char* folder : {"/site-packages/", "/dist-packages/", "/targets/x86_64-linux/"})
    if (file.find(folder) != file.npos) return false;
  return true;
}

class Lines final : public Watcher {
 public:
  Lines(Channel& channel, Chooser& chooser)
      : Watcher(channel, chooser),
        samples_(channel.task().lines == LineMode::samples),
        tables_(code_.cubins()) {}

  void before(const Launch& launch) override { graph_launches(launch.context); }

  void after(const Launch&, bool) override {}

  /// Called because sampling and counting must begin before a kernel's first launch.
  void graph_launches(CUcontext context) override {
    const Turn turn(*this);
    if (!turn) return;
    ++launches_;
    if (context != nullptr && !seen_.contains(context)) begin(context);
  }

  void synchronized() override {
    const Turn turn(*this);
    if (turn && Clock::now() >= next_) send_all();
  }

  void module_ends(CUcontext) override {
    const Turn turn(*this);
    if (turn) send_all();
  }

  void context_ends(CUcontext context) override {
    const Turn turn(*this);
    if (turn) end(context);
  }

  void program_ends() override {
    const Turn turn(*this);
    while (turn && !places_.empty()) end(places_.begin()->first);
  }

  void code_loaded(const CUpti_ResourceData& module, bool fresh) override {
    const std::scoped_lock lock(code_mutex_);
    code_.keep(module, !fresh);
  }

 private:
  /// A lock for one thread at a time; false for callbacks caused by this library itself.
  class Turn {
   public:
    explicit Turn(Lines& lines) {
      if (std::exchange(busy, true)) return;
      lock_ = std::unique_lock(lines.mutex_);
    }
    ~Turn() {
      if (lock_) busy = false;
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    explicit operator bool() const { return lock_.owns_lock(); }

   private:
    std::unique_lock<std::mutex> lock_;
  };

  std::unique_ptr<cupti::CodeWatch> watch(CUcontext context) {
    if (samples_) {
      auto sampling = cupti::watch_samples(context, channel_.task().period);
      sampling->start();
      return sampling;
    }
    if (profiling_ == nullptr) profiling_ = std::make_unique<cupti::Profiling>();
    cupti::check_device(cupti::current_target().device);
    return cupti::watch_instructions(context);
  }

  void begin(CUcontext context) try {
    seen_.insert(context);
    channel_.tell_gpu();
    channel_.send({.launches = launches_});
    places_.emplace(context, watch(context));
  } catch (const RecorderError& error) {
    if (places_.empty()) throw;
    channel_.send({.note = fmt::format("Another CUDA context was not watched: {}", error.what())});
  }

  void end(CUcontext context) {
    const auto place = places_.find(context);
    if (place == places_.end()) return;
    const Current current(context);
    const std::unique_ptr<cupti::CodeWatch> ended = std::move(place->second);
    places_.erase(place);
    send(ended->end());
  }

  void send_all() {
    const Clock::time_point start = Clock::now();
    for (auto& [context, place] : places_) {
      const Current current(context);
      send(place->fetch());
    }
    next_ =
        Clock::now() + std::max<Clock::duration>(pause, share_of_pause * (Clock::now() - start));
  }

  /// Sends evidence. The first packet has all facts besides lines; each packet names the counts.
  void send(RecordedCode code) {
    std::erase_if(code.instructions, [this](const InstructionEvidence& one) {
      return !chooser_.suits(kernel_name(one.function.c_str()));
    });
    std::vector<LineEvidence> lines = charged(code.instructions, code.lost);
    LinesRecord seen = record_of(std::move(code), {});
    for (std::size_t done = 0;; done += lines_in_packet) {
      const auto from = lines.begin() + static_cast<std::ptrdiff_t>(std::min(done, lines.size()));
      const auto left = static_cast<std::size_t>(lines.end() - from);
      const auto count = static_cast<std::ptrdiff_t>(std::min(left, lines_in_packet));
      seen.lines.assign(std::make_move_iterator(from), std::make_move_iterator(from + count));
      channel_.send({.lines = seen, .launches = launches_});
      if (left <= lines_in_packet) return;
      seen.lost.clear();
      seen.dropped = seen.elsewhere = 0;
    }
  }

  std::vector<LineEvidence> charged(const std::vector<InstructionEvidence>& instructions,
                                    std::vector<std::string>& lost) {
    const std::scoped_lock lock(code_mutex_);
    std::vector<LineEvidence> lines = lines_of(instructions, tables_, is_own, lost);
    for (LineEvidence& line : lines) line.function = shortened(line.function, longest_function);
    for (std::string& text : code_.lost()) lost.push_back(std::move(text));
    return lines;
  }

  const bool samples_;  // false: instructions are counted
  std::set<CUcontext> seen_;
  std::unique_ptr<cupti::Profiling> profiling_;
  std::map<CUcontext, std::unique_ptr<cupti::CodeWatch>> places_;
  Clock::time_point next_ = Clock::now() + pause;

  std::mutex code_mutex_;  // separate lock: code may load while the other is held
  cupti::KeptCode code_;
  LineTables tables_;
};

}  // namespace

std::unique_ptr<Watcher> lines(Channel& channel, Chooser& chooser) {
  return std::make_unique<Lines>(channel, chooser);
}

}  // namespace roofline::inject
