#include "harness/judge/sandbox.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include "roofline/base/machine.h"
#include "roofline/base/process.h"
#include "roofline/base/visible.h"

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

/// A link of the root, such as /lib, stays one.
void show_library_folder(Words& words, const fs::path& path) {
  std::error_code none;
  if (fs::is_symlink(path, none))
    add(words, {"--symlink", fs::read_symlink(path, none).string(), path.string()});
  else
    show(words, path);
}

/// Files in folders that are not shown as a whole.
void show_system(Words& words, const SandboxView& view) {
  for (const char* folder :
       {"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/local/lib"})
    show(words, folder);
  for (const char* folder : {"/lib", "/lib32", "/lib64"}) show_library_folder(words, folder);
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/usr/local", none))
    if (const std::string name = entry.path().filename().string();
        name.starts_with("cuda") || name == "nvidia")
      show(words, entry.path());
  for (const char* file : {"/etc/ld.so.cache", "/etc/alternatives", "/sys/devices/system/cpu"})
    show(words, file);
  if (view.programs) {
    for (const char* folder :
         {"/usr/bin", "/usr/include", "/usr/share", "/usr/local/include", "/opt"})
      show(words, folder);
    show_library_folder(words, "/bin");
  }
}

void show_gpu(Words& words) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/dev", none))
    if (entry.path().filename().string().starts_with("nvidia"))
      show(words, entry.path(), "--dev-bind-try");
  show(words, "/sys");
}

/// Runs this program there, as a player without a part: it does nothing.
std::string try_out(const Words& command) {
  constexpr auto patience = std::chrono::seconds(20);
  const roofline::Finished finished = roofline::run_program(command, patience);
  if (finished.status == 0) return {};
  if (finished.status == 127) return "bubblewrap is not installed: install bubblewrap";
  const std::string words =
      roofline::visible(finished.errors.substr(0, finished.errors.find('\n')));
  return words.empty() ? fmt::format("bubblewrap ended with status {}", finished.status) : words;
}

constexpr Layer of_bubblewrap[] = {Layer::user_namespace, Layer::network_namespace,
                                   Layer::ipc_namespace, Layer::mount_namespace,
                                   Layer::pid_namespace};

}  // namespace

Sandbox::Sandbox(const Layers* allowed) {
  const auto unwanted = [&](Layer layer) { return allowed != nullptr && !allowed->has(layer); };
  for (const Layer layer : of_bubblewrap) layers_.hold(layer);
  if (std::ranges::any_of(of_bubblewrap, [&](Layer layer) {
        return layer != Layer::pid_namespace && unwanted(layer);
      })) {
    for (const Layer layer : of_bubblewrap) layers_.lack(layer, "not wanted");
    return;
  }
  if (unwanted(Layer::pid_namespace)) layers_.lack(Layer::pid_namespace, "not wanted");
  const SandboxView view{files_of_this_program()};
  const Words command = {path_of_this_program().string(), "--play"};
  std::string why = try_out(wrap(command, view));
  if (why.empty()) return;
  layers_.lack(Layer::pid_namespace, why);
  why = try_out(wrap(command, view));
  if (why.empty()) return;
  for (const Layer layer : of_bubblewrap) layers_.lack(layer, why);
}

Words Sandbox::wrap(const Words& command, const SandboxView& view, bool pid_namespace) const {
  if (!has(Layer::mount_namespace)) return command;
  Words words = {"bwrap",         "--unshare-user", "--unshare-net", "--unshare-ipc",
                 "--unshare-uts", "--cap-drop",     "ALL",           "--die-with-parent"};
  if (pid_namespace && has(Layer::pid_namespace)) add(words, {"--unshare-pid", "--as-pid-1"});
  show_system(words, view);
  add(words, {"--proc", "/proc", "--dev", "/dev"});
  if (view.gpu) show_gpu(words);
  for (const char* folder : {"/tmp", "/dev/shm"})
    add(words, {"--size", std::string(small_disk), "--tmpfs", folder});
  for (const fs::path& path : view.readable) show(words, path);
  for (const fs::path& path : view.writable) show(words, path, "--bind");
  add(words, {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--"});
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

Words Sandbox::wrap_compiler(const Words& command, const SandboxView& view) const {
  // CPU seconds, KiB of memory, blocks of 512 bytes in a file.
  constexpr const char* limits =
      "ulimit -c 0 && ulimit -t 120 && ulimit -v 6000000 && ulimit -f 200000 && exec \"$@\"";
  Words limited = clean_environment();
  limited.insert(limited.begin(), {"env", "-i"});
  for (const char* word : {"timeout", "--kill-after=1", "180", "sh", "-c", limits, "sh"})
    limited.emplace_back(word);
  limited.insert(limited.end(), command.begin(), command.end());
  SandboxView compilers = view;
  compilers.programs = true;
  return wrap(limited, compilers);
}

Words clean_environment() {
  Words kept = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/tmp"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    for (const char* start : {"OMP_", "GOMP_", "KMP_",
                              "CUDA_VISIBLE_DEVICES=", "CUDA_DEVICE_ORDER=", "LD_LIBRARY_PATH="})
      if (text.starts_with(start)) kept.emplace_back(text);
  }
  return kept;
}

fs::path path_of_this_program() { return fs::read_symlink("/proc/self/exe"); }

std::vector<fs::path> files_of_this_program() {
  std::set<fs::path> files = {path_of_this_program()};
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto at = line.find(" /");
    if (at == std::string::npos || line.find(" r-xp ") == std::string::npos) continue;
    files.insert(line.substr(at + 1));
  }
  std::erase_if(files, [](const fs::path& file) { return !fs::is_regular_file(file); });
  return {files.begin(), files.end()};
}

}  // namespace gpp
