#include "tools/fill_in/gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

namespace gpp {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json read(const fs::path& file) {
  std::ifstream stream(file);
  try {
    return Json::parse(stream);
  } catch (const Json::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

/// "preset gpp214, seed 1": without the folders of a file.
std::string input_of(const Json& study) {
  const std::string path = study["input"]["path"];
  return path.substr(path.rfind('/') + 1);
}

std::string timed_variants(const Json& study) {
  const auto timed = std::ranges::count_if(
      study["results"], [](const Json& one) { return one["status"] == "passed"; });
  return fmt::format("{} variant{}", timed, timed == 1 ? "" : "s");
}

/// What the record in the folder is, and its file; empty where there is none.
std::pair<std::string, std::string> described(const fs::path& folder) {
  const auto date = [](const Json& record) {
    return record["created"].get<std::string>().substr(0, 10);
  };
  if (fs::exists(folder / "study.json")) {
    const Json study = read(folder / "study.json");
    return {fmt::format("{}, {}, {}, {}", study["kernel"].get<std::string>(), input_of(study),
                        timed_variants(study), date(study)),
            "study.json"};
  }
  if (fs::exists(folder / "trajectory.json")) {
    const Json record = read(folder / "trajectory.json");
    return {fmt::format("{} on up to {} units, {}", record["kernel"].get<std::string>(),
                        record["units"].get<int>(), date(record)),
            "trajectory.json"};
  }
  if (fs::exists(folder / "kernels-instructions.csv"))
    return {"all kernels on one roofline", "kernels-instructions.csv"};
  if (fs::exists(folder / "conv2d.csv")) return {"conv2d of PyTorch and cuDNN", "conv2d.md"};
  // A case of conv2d is a mark in the picture of all.
  if (fs::exists(folder / "profile.json") && !fs::exists(folder / "case.json"))
    return {fmt::format("a program under the roofs, {}", date(read(folder / "profile.json"))),
            "profile.json"};
  return {};
}

/// The picture that tells most; empty where nothing was drawn.
std::string picture_of(const fs::path& folder) {
  std::vector<std::string> drawn;
  for (const fs::directory_entry& one : fs::directory_iterator(folder))
    if (one.path().extension() == ".svg") drawn.push_back(one.path().filename());
  std::ranges::sort(drawn);
  for (const char* kind : {"panels.", "kernels-instructions.", "published-", "ladder.", "roofline.",
                           "roofline", "trajectory", ""})
    for (const std::string& name : drawn)
      if (name.starts_with(kind)) return name;
  return {};
}

}  // namespace

std::string gallery(const fs::path& results) {
  std::map<std::string, std::vector<fs::path>> folders;  // by machine
  for (const fs::directory_entry& one : fs::recursive_directory_iterator(results))
    if (one.is_directory() && !described(one.path()).second.empty()) {
      const fs::path folder = one.path().lexically_relative(results);
      folders[folder.begin()->string()].push_back(folder);
    }
  std::string text;
  for (auto& [machine, records] : folders) {
    std::ranges::sort(records);
    text += fmt::format("\n{}### {}\n\n| record |  |\n| --- | --- |\n", text.empty() ? "\n" : "",
                        machine);
    for (const fs::path& folder : records) {
      const auto [what, file] = described(results / folder);
      const std::string name = folder.generic_string();
      const std::string picture = picture_of(results / folder);
      text += fmt::format("| [{0}]({0}/{1}): {2} | {3} |\n", name, file, what,
                          picture.empty() ? "" : fmt::format("![{0}]({0}/{1})", name, picture));
    }
  }
  return text + "\n";
}

}  // namespace gpp
