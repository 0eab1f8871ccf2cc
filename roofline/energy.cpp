#include "roofline/energy.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>

#include "roofline/base/machine.h"
#include "roofline/nvml.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

std::optional<double> number_in(const std::string& file) {
  const std::string text = kernel_file(file);
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

/// True if it counts energy that no other domain counts: "package-0", or "dram" of a package.
bool is_whole(const fs::path& domain) {
  const std::string name = kernel_file((domain / "name").string());
  return name.starts_with("package") || name.starts_with("dram");
}

}  // namespace

EnergyCounter energy_of_gpu(const std::string& bus_place) {
  const auto nvml = std::make_shared<const Nvml>(bus_place);
  if (!nvml->missing().empty()) return {{}, nvml->missing()};
  if (!nvml->joules()) return {{}, "NVML does not count this GPU's energy"};
  return {[nvml] { return nvml->joules(); }, {}};
}

EnergyCounter energy_of_host(const std::string& root) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& one : fs::directory_iterator(root, error)) {
    if (!one.path().filename().string().starts_with("intel-rapl:") || !is_whole(one.path()))
      continue;
    files.push_back((one.path() / "energy_uj").string());
    if (access(files.back().c_str(), R_OK) != 0)
      return {{},
              fmt::format("only an administrator may read the energy of this processor ({})",
                          files.back())};
  }
  if (files.empty())
    return {{}, fmt::format("this machine does not show its processors' energy (RAPL, {})", root)};
  return {[files]() -> std::optional<double> {
            double sum = 0;
            for (const std::string& file : files) {
              const std::optional<double> microjoules = number_in(file);
              if (!microjoules) return std::nullopt;
              sum += 1e-6 * *microjoules;
            }
            return sum;
          },
          {}};
}

EnergyWatch::EnergyWatch(const EnergyCounter& counter, double pause)
    : counter_(counter), pause_(pause), start_(steady_seconds()), thread_([this] { watch(); }) {}

EnergyWatch::~EnergyWatch() { stop(); }

void EnergyWatch::watch() {
  if (!counter_.joules) return;
  const std::chrono::duration<double> pause(pause_);
  std::optional<double> last = counter_.joules();
  for (; !ends_; std::this_thread::sleep_for(pause)) {
    const std::optional<double> joules = counter_.joules();
    if (!joules || joules == last) continue;
    if (last && *joules < *last) updates_.clear();  // the counter restarted
    last = joules;
    updates_.push_back({steady_seconds() - start_, *joules});
  }
}

EnergyUsed EnergyWatch::stop(double skipped) {
  ends_ = true;
  if (thread_.joinable()) thread_.join();
  std::erase_if(updates_, [skipped](const Update& update) { return update.at < skipped; });
  if (updates_.size() < 2) return {};
  const Update &first = updates_.front(), &last = updates_.back();
  return {last.joules - first.joules, last.at - first.at, static_cast<int>(updates_.size()) - 1};
}

}  // namespace roofline
