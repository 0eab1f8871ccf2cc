#include "roofline/base/data_caches.h"

#include <fstream>
#include <sstream>

namespace roofline {
namespace {

std::string line_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

int number_in(const std::filesystem::path& file) {
  int number = 0;
  std::istringstream(line_of(file)) >> number;
  return number;
}

/// Of "48K" or "2M".
double bytes_in(const std::filesystem::path& file) {
  const std::string size = line_of(file);
  double number = 0;
  std::istringstream(size) >> number;
  return number * (size.ends_with("M") ? 1048576.0 : 1024.0);
}

}  // namespace

std::vector<DataCache> data_caches(const std::filesystem::path& folder) {
  std::vector<DataCache> caches;
  for (int index = 0; index < 8; ++index) {
    const std::filesystem::path files = folder / ("index" + std::to_string(index));
    const std::string type = line_of(files / "type");
    if (type != "Data" && type != "Unified") continue;
    const DataCache cache = {number_in(files / "level"), bytes_in(files / "size"),
                             number_in(files / "ways_of_associativity"),
                             number_in(files / "coherency_line_size"),
                             line_of(files / "shared_cpu_list")};
    if (cache.level > 0 && cache.bytes > 0) caches.push_back(cache);
  }
  return caches;
}

}  // namespace roofline
