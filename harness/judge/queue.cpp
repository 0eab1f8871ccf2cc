#include "harness/judge/queue.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>

#include <algorithm>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

constexpr std::size_t longest_name_in_queue = 200;  // its lock and its copies need a name, too

/// Never over what is there.
bool moved(const std::filesystem::path& from, const std::filesystem::path& to) {
  return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0;
}

/// By the time of their last change, then by name.
std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::pair<std::filesystem::file_time_type, std::string>> found;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(folder, gone)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || name.size() > longest_name_in_queue || name == "taken" ||
        name == "done")
      continue;
    // A link has no time of its own here, and is refused when it is judged.
    const auto time = entry.is_symlink(gone) ? std::filesystem::file_time_type::min()
                                             : entry.last_write_time(gone);
    found.emplace_back(time, name);
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (auto& [time, name] : found) names.push_back(std::move(name));
  return names;
}

}  // namespace

SubmissionQueue::SubmissionQueue(std::filesystem::path folder)
    : folder_(std::move(folder)), taken_(folder_ / "taken"), done_(folder_ / "done") {
  std::error_code error;
  if (!std::filesystem::is_directory(folder_, error))
    throw roofline::InputError(
        fmt::format("--queue: {} is no folder; make it, and move submissions in",
                    roofline::visible(folder_.string())));
  for (const auto& one : {taken_, done_}) {
    std::filesystem::create_directory(one, error);
    if (error || !std::filesystem::is_directory(std::filesystem::symlink_status(one)))
      throw roofline::InputError(
          fmt::format("--queue: {} is no folder that this program made; move it away, and let the "
                      "queue be writable for the judge alone",
                      roofline::visible(one.string())));
  }
}

/// Only while nobody else holds it, and it is still there.
std::optional<SubmissionQueue::Taken> SubmissionQueue::locked(const std::string& name) const {
  Taken taken{name, taken_ / name, std::make_unique<roofline::FileLock>()};
  std::string why;
  if (!taken.lock->take(taken_ / ("." + name + ".lock"), 0, why)) {
    if (!why.empty()) throw roofline::InputError(fmt::format("--queue: {}", why));
    return std::nullopt;
  }
  std::error_code gone;
  if (!std::filesystem::exists(std::filesystem::symlink_status(taken.path, gone)))
    return std::nullopt;
  return taken;
}

std::optional<SubmissionQueue::Taken> SubmissionQueue::take() {
  for (const std::string& name : names_in(taken_))
    if (auto taken = locked(name)) return taken;
  for (const std::string& name : names_in(folder_))
    if (moved(folder_ / name, taken_ / name))
      if (auto taken = locked(name)) return taken;
  return std::nullopt;
}

void SubmissionQueue::finish(const Taken& taken) {
  for (int number = 0; number < 10'000; ++number) {
    const std::string suffix = number == 0 ? "" : fmt::format(".{}", number);
    if (moved(taken.path, done_ / (taken.name + suffix))) return;
  }
  throw roofline::InputError(fmt::format("--queue: {} cannot be moved to {}",
                                         roofline::visible(taken.path.string()),
                                         roofline::visible(done_.string())));
}

bool SubmissionQueue::take_host(roofline::FileLock& turn, double seconds) const {
  std::string why;
  return turn.take(taken_ / ".host.lock", seconds, why);
}

}  // namespace gpp
