#include "harness/judge/sandbox.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <initializer_list>

#include "harness/measure/worker.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view small_disk = "67108864";  // bytes, of /tmp and of /dev/shm

void add(Words& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more.begin(), more.end());
}

void show(Words& words, const fs::path& path, const char* how = "--ro-bind-try") {
  add(words, {how, path.string(), path.string()});
}

/// What begins so in a folder that is not shown as a whole.
void show_named(Words& words, const char* folder, std::string_view begin,
                const char* how = "--ro-bind-try") {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().filename().string().starts_with(begin)) show(words, entry.path(), how);
}

void show_system(Words& words) {
  for (const char* path : {"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/local/lib",
                           "/etc/ld.so.cache", "/etc/alternatives", "/sys/devices/system/cpu"})
    show(words, path);
  std::error_code none;
  for (const char* folder : {"/lib", "/lib32", "/lib64"})
    if (const fs::path to = fs::read_symlink(folder, none); !none)
      add(words, {"--symlink", to.string(), folder});  // it stays a link
    else
      show(words, folder);
  for (const char* begin : {"cuda", "nvidia"}) show_named(words, "/usr/local", begin);
}

/// By which a command gets these variables and no others.
Words cleaned(const std::string& only_gpu) {
  Words words = {"/usr/bin/env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                 "HOME=/tmp"};
  const bool all_gpus = only_gpu.empty();
  if (!all_gpus) words.push_back("CUDA_VISIBLE_DEVICES=" + only_gpu);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    for (const char* start : {"OMP_", "GOMP_", "KMP_", "CUDA_DEVICE_ORDER=", "LD_LIBRARY_PATH="})
      if (text.starts_with(start)) words.emplace_back(text);
    if (all_gpus && text.starts_with("CUDA_VISIBLE_DEVICES=")) words.emplace_back(text);
  }
  return words;
}

/// Runs this program there, as a worker without a task: it does nothing.
std::string try_out(const Words& command) {
  const roofline::Finished finished = roofline::run_program(command, std::chrono::seconds(20));
  if (finished.status == 0) return {};
  if (finished.status == 127) return "bubblewrap is not installed: install bubblewrap";
  const std::string words =
      roofline::visible(finished.errors.substr(0, finished.errors.find('\n')));
  return words.empty() ? fmt::format("bubblewrap ended with status {}", finished.status) : words;
}

}  // namespace

bool Layers::has(std::string_view layer) const {
  const auto found = std::ranges::find(tried, layer, &JudgeLayer::name);
  return found != tried.end() && found->lacked.empty();
}

void Layers::note(const char* layer, const std::string& lacked) {
  auto found = std::ranges::find(tried, layer, &JudgeLayer::name);
  if (found == tried.end()) found = tried.insert(found, {layer, ""});
  if (found->lacked.empty()) found->lacked = lacked;
}

std::string Layers::text() const {
  Words held, lost;
  for (const auto& [name, lacked] : tried)
    lacked.empty() ? held.push_back(name) : lost.push_back(fmt::format("{} ({})", name, lacked));
  const std::string text = held.empty() ? "none" : fmt::format("{}", fmt::join(held, ", "));
  return lost.empty() ? text : fmt::format("{}; without {}", text, fmt::join(lost, ", "));
}

Sandbox::Sandbox(bool wanted) {
  const auto of_bubblewrap = {layer::user_namespace, layer::network_namespace, layer::ipc_namespace,
                              layer::mount_namespace, layer::pid_namespace};
  for (const char* const one : of_bubblewrap) layers_.note(one);
  std::string why = "not wanted";
  for (const bool pid_namespace : {true, false}) {
    const std::vector<fs::path> files = files_of_this_program();
    if (wanted) why = try_out(wrap({files.front().string(), worker_word}, {files}, pid_namespace));
    if (why.empty()) return;
    layers_.note(layer::pid_namespace, why);
  }
  for (const char* const one : of_bubblewrap) layers_.note(one, why);
}

Words Sandbox::wrap(const Words& command, const SandboxView& view, bool pid_namespace) const {
  Words words = cleaned(view.only_gpu);
  const auto add_command = [&] {
    words.insert(words.end(), command.begin(), command.end());
    return words;
  };
  if (!layers_.has(layer::mount_namespace)) return add_command();
  add(words, {"bwrap", "--unshare-user", "--unshare-net", "--unshare-ipc", "--unshare-uts",
              "--cap-drop", "ALL", "--die-with-parent"});
  if (pid_namespace && layers_.has(layer::pid_namespace))
    add(words, {"--unshare-pid", "--as-pid-1"});
  show_system(words);
  add(words, {"--proc", "/proc", "--dev", "/dev"});
  if (view.gpu) {
    show_named(words, "/dev", "nvidia", "--dev-bind-try");
    show(words, "/sys");
  }
  for (const char* folder : {"/tmp", "/dev/shm"})
    add(words, {"--size", std::string(small_disk), "--tmpfs", folder});
  for (const fs::path& path : view.readable) show(words, path);
  for (const fs::path& path : view.writable) show(words, path, "--bind");
  add(words, {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--"});
  return add_command();
}

Words Sandbox::wrap_compiler(const Words& command, SandboxView view) const {
  // CPU seconds, KiB of memory, blocks of 512 bytes in a file.
  constexpr const char* limits =
      "ulimit -c 0 && ulimit -t 120 && ulimit -v 6000000 && ulimit -f 200000 && exec \"$@\"";
  Words limited = {"timeout", "--kill-after=1", "180", "sh", "-c", limits, "sh"};
  limited.insert(limited.end(), command.begin(), command.end());
  view.readable.insert(view.readable.begin(), {"/bin", "/usr/bin", "/usr/include", "/usr/share",
                                               "/usr/local/include", "/opt"});
  return wrap(limited, view);
}

std::vector<fs::path> files_of_this_program() {
  std::vector<fs::path> files = {fs::read_symlink("/proc/self/exe")};
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto at = line.find(" /");
    if (at == std::string::npos || line.find(" r-xp ") == std::string::npos) continue;
    const fs::path file = line.substr(at + 1);
    if (fs::is_regular_file(file) && std::ranges::find(files, file) == files.end())
      files.push_back(file);
  }
  return files;
}

}  // namespace gpp
