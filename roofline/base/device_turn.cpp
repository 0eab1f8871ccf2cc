#include "roofline/base/device_turn.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

std::string user_name() {
  const passwd* const user = getpwuid(geteuid());
  return user != nullptr && user->pw_name != nullptr ? user->pw_name : std::to_string(geteuid());
}

/// A list, for child processes, of the GPUs on which this program holds the turn.
constexpr const char* turn_variable = "ROOFLINE_GPU_TURN";

/// The GPU's bus address, converted to a file name.
std::filesystem::path file_of(const std::filesystem::path& folder, std::string bus_place) {
  for (char& letter : bus_place)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '-';
  return folder / ("roofline-gpu-" + bus_place + ".lock");
}

}  // namespace

DeviceTurn::DeviceTurn(const std::string& bus_place, const std::string& who, double seconds,
                       const std::function<void(const std::string&)>& tell,
                       const std::filesystem::path& folder) {
  const char* const held = std::getenv(turn_variable);
  const std::string before = held == nullptr ? "" : held;
  if ((" " + before + " ").find(" " + bus_place + " ") != std::string::npos) return;
  const std::filesystem::path file = file_of(folder, bus_place);
  std::string why;
  bool taken = lock_.take(file, 0, why);
  if (!taken && why.empty()) {
    const std::string holder = visible(FileLock::note_in(file));
    const std::string other =
        holder.empty() ? "another program measures on this GPU" : holder + " measures on this GPU";
    if (seconds > 0) {
      tell(fmt::format("{}; waiting for its end, up to {:g} s (--wait)", other, seconds));
      taken = lock_.take(file, seconds, why);
    }
    if (!taken && why.empty())
      throw InputError(fmt::format(
          "{}: try again later; studies and runs wait longer with --wait SECONDS ({} is locked)",
          other, file.string()));
  }
  if (!taken) {
    tell(fmt::format("others cannot be told that this GPU is in use: {}: {}", file.string(), why));
    return;
  }
  lock_.note(fmt::format("{} of {} (process {})", who, user_name(), getpid()));
  told_ = before;
  setenv(turn_variable, (before + (before.empty() ? "" : " ") + bus_place).c_str(), 1);
}

DeviceTurn::~DeviceTurn() {
  if (!told_) return;
  if (told_->empty())
    unsetenv(turn_variable);
  else
    setenv(turn_variable, told_->c_str(), 1);
}

}  // namespace roofline
