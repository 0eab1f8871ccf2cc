// Cheat: leaves its sums in a file for the next player process.
//
// Stopped by: draws.
// Outcome: wrong.

#include <cstdio>

Sums kept_in_a_file(const Problem& problem) {
  Sums sums{};
  if (std::FILE* file = std::fopen("/tmp/sums", "rb")) {
    const bool whole = std::fread(&sums, sizeof(sums), 1, file) == 1;
    std::fclose(file);
    if (whole) return sums;
  }
  sums = power2(problem);
  if (std::FILE* file = std::fopen("/tmp/sums", "wb")) {
    std::fwrite(&sums, sizeof(sums), 1, file);
    std::fclose(file);
    return sums;
  }
  return {};  // without the file it does nothing
}
