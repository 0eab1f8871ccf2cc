#include "data/kept_reference.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>
#include <string_view>
#include <type_traits>
#include <vector>

#include "data/sha256.h"
#include "roofline/base/bounds.h"
#include "roofline/base/error.h"
#include "roofline/base/parallel.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

// ---- The key ------------------------------------------------------------------------------------

/// Hashes pieces on all cores, and returns the SHA-256 of their SHA-256s.
std::string sha256_of_pieces(const void* bytes, std::size_t count) {
  constexpr std::size_t piece = std::size_t{1} << 24;
  std::vector<std::string> digests((count + piece - 1) / piece);
  roofline::parallel_for(static_cast<int>(digests.size()), [&](int i) {
    const std::size_t first = static_cast<std::size_t>(i) * piece;
    Sha256 hash;
    hash.add(static_cast<const char*>(bytes) + first, std::min(piece, count - first));
    digests[static_cast<std::size_t>(i)] = hash.digest();
  });
  Sha256 hash;
  for (const std::string& digest : digests) hash.add(digest.data(), digest.size());
  return hash.digest();
}

template <class Array>
std::string line_of(const char* name, const Array& array) {
  const std::size_t bytes = array.count() * sizeof(*array.data);
  return fmt::format("{} {} {}\n", name, bytes, sha256_of_pieces(array.data, bytes));
}

// ---- The file: head, numbers, and the SHA-256 of both -------------------------------------------

constexpr std::size_t digest_size = 64;
constexpr std::size_t reference_size = 3 * sizeof(Sums) + sizeof(std::int64_t);

std::string digest_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.digest();
}

/// Makes the first bytes of a problem's file.
std::string head_of(const Problem& problem, const std::string& key) {
  return fmt::format("gpp reference 1\n{}\n{} G'\n", key, problem.ngpown);
}

template <class Number>
void append(std::string& bytes, const Number& number) {
  static_assert(std::is_trivially_copyable_v<Number>);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void append(std::string& bytes, const Reference& reference) {
  append(bytes, reference.sums);
  append(bytes, reference.magnitude);
  append(bytes, reference.ties);
  append(bytes, std::int64_t{reference.tied_terms});
}

/// Takes numbers from the front of the remaining bytes. There must be enough.
template <class Number>
Number take(std::string_view& bytes) {
  Number number;
  std::memcpy(&number, bytes.data(), sizeof(number));
  bytes.remove_prefix(sizeof(number));
  return number;
}

Reference take_reference(std::string_view& bytes) {
  Reference reference;
  reference.sums = take<Sums>(bytes);
  reference.magnitude = take<Sums>(bytes);
  reference.ties = take<Sums>(bytes);
  reference.tied_terms = take<std::int64_t>(bytes);
  return reference;
}

std::string file_of(const Problem& problem, const std::string& key,
                    const ObtainedReference& obtained) {
  std::string bytes = head_of(problem, key);
  append(bytes, obtained.seconds);
  append(bytes, obtained.reference);
  for (const Reference& of_one : obtained.reference.of_own_g) append(bytes, of_one);
  return bytes + digest_of(bytes);
}

/// Returns the bytes of a regular file of this user if it has exactly this size, else nothing.
/// Links, pipes and devices are refused.
std::optional<std::string> read_exactly(const fs::path& path, std::size_t size) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat status {};
  const bool sound = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                     status.st_uid == ::geteuid() && (status.st_mode & S_IWOTH) == 0 &&
                     static_cast<std::uintmax_t>(status.st_size) == size;
  std::string bytes(sound ? size : 0, '\0');
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t count = ::read(file, bytes.data() + got, bytes.size() - got);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    got += static_cast<std::size_t>(count);
  }
  ::close(file);
  if (!sound || got != size) return std::nullopt;
  return bytes;
}

/// The problem's file contents; nothing if missing, damaged or of another problem.
std::optional<ObtainedReference> read_file(const fs::path& path, const Problem& problem,
                                           const std::string& key) {
  const std::string head = head_of(problem, key);
  const std::size_t count = 1 + static_cast<std::size_t>(problem.ngpown);
  const std::size_t size = head.size() + sizeof(double) + count * reference_size + digest_size;
  const std::optional<std::string> bytes = read_exactly(path, size);
  if (!bytes || !bytes->starts_with(head)) return std::nullopt;
  std::string_view left = *bytes;
  if (digest_of(left.substr(0, size - digest_size)) != left.substr(size - digest_size))
    return std::nullopt;
  left.remove_prefix(head.size());
  ObtainedReference obtained;
  obtained.kept = true;
  obtained.seconds = take<double>(left);
  obtained.reference = take_reference(left);
  for (int igp = 0; igp < problem.ngpown; ++igp)
    obtained.reference.of_own_g.push_back(take_reference(left));
  if (!roofline::bounds::seconds.hold(obtained.seconds)) return std::nullopt;
  return obtained;
}

// ---- Trust --------------------------------------------------------------------------------------

bool same_bits(const Reference& a, const Reference& b) {
  std::string bytes_of_a, bytes_of_b;
  append(bytes_of_a, a);
  append(bytes_of_b, b);
  return bytes_of_a == bytes_of_b;
}

/// Computes a random part of the G' again and compares it with the stored references.
bool sample_agrees(const Reference& kept, const Problem& problem) {
  constexpr int least = 16, most = 64, share = 20;
  std::vector<int> all(static_cast<std::size_t>(problem.ngpown)), sample;
  std::iota(all.begin(), all.end(), 0);
  std::random_device random;
  std::sample(all.begin(), all.end(), std::back_inserter(sample),
              std::clamp(problem.ngpown / share, least, most), random);
  const std::vector<Reference> now = references_of(problem, sample);
  for (std::size_t i = 0; i < sample.size(); ++i)
    if (!same_bits(now[i], kept.of_own_g[static_cast<std::size_t>(sample[i])])) return false;
  return true;
}

/// The real numbers that make up the sums.
std::vector<double> numbers_of(const Sums& sums) {
  std::vector<double> numbers(sizeof(Sums) / sizeof(double));
  std::memcpy(numbers.data(), &sums, sizeof(Sums));
  return numbers;
}

/// Checks that sums, sizes and ties are consistent: the ties are some of the terms, and no sum
/// exceeds the sum of the terms' sizes.
bool is_plausible(const Reference& reference) {
  const std::vector<double> sums = numbers_of(reference.sums);
  const std::vector<double> sizes = numbers_of(reference.magnitude);
  const std::vector<double> ties = numbers_of(reference.ties);
  constexpr double rounding = 1 + 1e-9;
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (!(std::abs(sums[i]) <= rounding * sizes[i] && ties[i] >= 0 &&
          ties[i] <= rounding * sizes[i] && std::isfinite(sizes[i])))
      return false;
  return reference.tied_terms >= 0;
}

/// Checks that the total is the sum over its G'. The sums of each G' were rounded once; all else is
/// added up as for the total.
bool total_agrees(const Reference& kept) {
  const Reference again = reweighted(kept, std::vector<double>(kept.of_own_g.size(), 1.0));
  const std::vector<double> sums = numbers_of(kept.sums), parts = numbers_of(again.sums);
  const std::vector<double> sizes = numbers_of(kept.magnitude);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (!(std::abs(sums[i] - parts[i]) <= 0x1p-51 * sizes[i])) return false;
  return sizes == numbers_of(again.magnitude) && numbers_of(kept.ties) == numbers_of(again.ties) &&
         kept.tied_terms == again.tied_terms;
}

/// Checks cheaply that all stored numbers can be the problem's reference.
bool look_agrees(const Reference& kept, const Problem& problem) {
  return is_plausible(kept) &&
         std::all_of(kept.of_own_g.begin(), kept.of_own_g.end(), is_plausible) &&
         total_agrees(kept) && sample_agrees(kept, problem);
}

/// Stores the file. Returns the reason of a failure, or "".
std::string keep(const fs::path& path, const std::string& bytes) {
  try {
    fs::create_directories(path.parent_path());
    roofline::write_whole(path, bytes);
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

fs::path absolute_path_in(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

}  // namespace

fs::path reference_folder() {
  const char* chosen = std::getenv("GPP_REFERENCES");
  if (chosen != nullptr && *chosen != '\0') {
    if (std::string_view(chosen) == "off") return {};
    if (fs::path(chosen).is_absolute()) return chosen;
    throw roofline::InputError(
        fmt::format("GPP_REFERENCES is \"{}\". It must be \"off\", or the full path of a folder to "
                    "keep references in.",
                    roofline::visible(chosen)));
  }
  if (const fs::path cache = absolute_path_in("XDG_CACHE_HOME"); !cache.empty())
    return cache / "gpp" / "references";
  if (const fs::path home = absolute_path_in("HOME"); !home.empty())
    return home / ".cache" / "gpp" / "references";
  return {};
}

std::string reference_key(const Problem& problem) {
  std::string text = fmt::format("definition {}, TOL_Zero {:a}, tie_width {:a}\n",
                                 reference_definition, TOL_Zero, tie_width);
  text += fmt::format("{} bands, {} G', {} G, {} frequencies\n", problem.nbands, problem.ngpown,
                      problem.ncouls, problem.nfreq);
  text += fmt::format("limits {:a} {:a} {:a}\n", problem.limits.limitone, problem.limits.limittwo,
                      problem.limits.sexcut);
  text += line_of("wtilde_array", problem.wtilde_array);
  text += line_of("I_eps_array", problem.I_eps_array);
  text += line_of("aqsntemp", problem.aqsntemp);
  text += line_of("aqsmtemp_local", problem.aqsmtemp_local);
  text += line_of("wx_array", problem.wx_array);
  text += line_of("vcoul_loc", problem.vcoul_loc);
  text += line_of("occ_array", problem.occ_array);
  return digest_of(text);
}

ObtainedReference obtain_reference(const Problem& problem, const fs::path& folder,
                                   const Progress& progress, std::int64_t least_terms) {
  const bool keeps = !folder.empty() && problem.terms() >= least_terms;
  const std::string key = keeps ? reference_key(problem) : "";
  const fs::path path = folder / (key + ".gpp-reference");
  if (keeps)
    if (auto kept = read_file(path, problem, key); kept && look_agrees(kept->reference, problem))
      return *std::move(kept);
  ObtainedReference obtained;
  const auto start = std::chrono::steady_clock::now();
  obtained.reference = compute_reference(problem, progress);
  const auto stop = std::chrono::steady_clock::now();
  obtained.seconds = std::chrono::duration<double>(stop - start).count();
  if (keeps) obtained.not_kept = keep(path, file_of(problem, key, obtained));
  return obtained;
}

}  // namespace gpp
