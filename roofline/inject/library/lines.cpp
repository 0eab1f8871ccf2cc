// Samples or counts a program's machine instructions and assigns them to source lines inside the
// program, which has the machine code. Only lines are sent.
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/cupti/session.h"
#include "roofline/inject/library/watcher.h"

namespace roofline::inject {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t lines_in_packet = 40;    // packets have a limited length
constexpr std::size_t longest_function = 300;  // template names can be very long
/// Lines found so far are sent when the program waits for the device, at most this often, so that a
/// sudden end loses few.
constexpr std::chrono::seconds pause{2};

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
  Lines(Channel& channel, Chooser& chooser) : Watcher(channel, chooser), tables_(code_.cubins()) {}

  void before(const Launch& launch) override { graph_launches(launch.context); }
  void after(const Launch&, bool) override {}

  /// Sampling and counting must begin before a kernel's first launch.
  void graph_launches(CUcontext context) override {
    in_turn([&] {
      ++launches_;
      if (context != nullptr && seen_.insert(context).second) begin(context);
    });
  }
  void synchronized() override {
    in_turn([&] {
      if (Clock::now() < next_) return;
      send_all();
      next_ = Clock::now() + pause;
    });
  }
  void module_ends(CUcontext) override {
    in_turn([&] { send_all(); });
  }
  void context_ends(CUcontext context) override {
    in_turn([&] { end(context); });
  }
  void program_ends() override {
    in_turn([&] {
      while (!watches_.empty()) end(watches_.begin()->first);
    });
  }
  void code_loaded(const CUpti_ResourceData& module, bool fresh) override {
    const std::scoped_lock lock(code_mutex_);
    code_.keep(module, fresh);
  }

 private:
  void in_turn(const std::function<void()>& action) {
    if (std::exchange(busy, true)) return;
    const std::shared_ptr<void> idle(nullptr, [](void*) { busy = false; });
    const std::scoped_lock lock(mutex_);
    action();
  }

  std::unique_ptr<cupti::CodeWatch> watch(CUcontext context) {
    if (channel_.task().lines == LineMode::samples) {
      auto sampling = cupti::watch_samples(context, channel_.task().period);
      sampling->start();
      return sampling;
    }
    if (profiling_ == nullptr) profiling_ = std::make_unique<cupti::Profiling>();
    cupti::check_device(cupti::current_target().device);
    return cupti::watch_instructions(context);
  }

  void begin(CUcontext context) try {
    channel_.tell_gpu();
    tell({});
    watches_.emplace(context, watch(context));
  } catch (const RecorderError& error) {
    if (watches_.empty()) throw;
    tell({.note = std::string("Another CUDA context was not watched: ") + error.what()});
  }

  void end(CUcontext context) {
    const auto ended = watches_.extract(context);
    if (!ended) return;
    const Current current(context);
    send(ended.mapped()->end());
  }

  void send_all() {
    for (auto& [context, watch] : watches_) {
      const Current current(context);
      send(watch->fetch());
    }
  }

  /// Sends evidence. The first packet has all facts besides lines; each packet names the counts.
  void send(RecordedCode code) {
    std::erase_if(code.instructions, [this](const InstructionEvidence& one) {
      return !chooser_.suits(kernel_name(one.function.c_str()));
    });
    const std::vector<LineEvidence> lines = charged(code);
    LinesRecord seen = record_of(std::move(code), {});
    std::size_t done = 0;
    do {
      const std::size_t next = std::min(done + lines_in_packet, lines.size());
      seen.lines = {lines.data() + done, lines.data() + next};
      tell({.lines = seen});
      seen.lost.clear();
      seen.dropped = seen.elsewhere = 0;
      done = next;
    } while (done < lines.size());
  }

  std::vector<LineEvidence> charged(RecordedCode& code) {
    const std::scoped_lock lock(code_mutex_);
    std::vector<LineEvidence> lines = lines_of(code.instructions, tables_, is_own, code.lost);
    for (LineEvidence& line : lines) line.function = shortened(line.function, longest_function);
    for (std::string& text : code_.lost()) code.lost.push_back(std::move(text));
    return lines;
  }

  std::set<CUcontext> seen_;
  std::unique_ptr<cupti::Profiling> profiling_;
  std::map<CUcontext, std::unique_ptr<cupti::CodeWatch>> watches_;
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
