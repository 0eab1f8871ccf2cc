#include "roofline/trace/cache_model.h"

#include "roofline/base/machine.h"

namespace roofline {
namespace {

constexpr double largest_cache = 4294967296.0;

/// Whether the model can have such a cache: none whose size would fill the memory.
bool is_sound(const DataCache& cache) {
  return cache.bytes <= largest_cache && cache.ways > 0 && cache.ways <= 1024 && cache.line >= 16 &&
         cache.line <= 4096 && cache.bytes >= 1.0 * cache.ways * cache.line;
}

}  // namespace

std::vector<CacheShape> host_caches(const std::filesystem::path& system) {
  std::vector<CacheShape> caches;
  for (const DataCache& cache : data_caches(system))
    if (is_sound(cache))
      caches.push_back(
          {cache.level, static_cast<std::size_t>(cache.bytes), cache.ways, cache.line});
  return caches;
}

}  // namespace roofline
