#include "roofline/trace/host_caches.h"

#include <fstream>
#include <string>

namespace roofline {
namespace {

constexpr std::size_t largest_cache = std::size_t{4} << 30;

/// The number that a file of the system begins with, and its unit; 0 for anything else.
std::size_t number_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::size_t number = 0;
  char unit = ' ';
  if (!(stream >> number) || number > largest_cache) return 0;
  stream.get(unit);
  if (unit == 'K') number *= 1024;
  if (unit == 'M') number *= 1024 * 1024;
  return number;
}

}  // namespace

std::vector<CacheShape> host_caches(const std::filesystem::path& system) {
  std::vector<CacheShape> caches;
  for (int index = 0; index < 8; ++index) {
    const std::filesystem::path folder = system / ("index" + std::to_string(index));
    std::string type;
    std::ifstream(folder / "type") >> type;
    if (type != "Data" && type != "Unified") continue;
    CacheShape shape;
    shape.level = static_cast<int>(number_in(folder / "level"));
    shape.bytes = number_in(folder / "size");
    shape.ways = static_cast<int>(number_in(folder / "ways_of_associativity"));
    shape.line = static_cast<int>(number_in(folder / "coherency_line_size"));
    const bool sound = shape.level > 0 && shape.bytes <= largest_cache && shape.ways > 0 &&
                       shape.ways <= 1024 && shape.line >= 16 && shape.line <= 4096 &&
                       shape.bytes >= static_cast<std::size_t>(shape.ways) * shape.line;
    if (sound) caches.push_back(shape);
  }
  return caches;
}

}  // namespace roofline
