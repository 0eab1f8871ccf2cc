#include "data/kept_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/parallel.h"
#include "roofline/ceilings/measure.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Hashes pieces on all cores, and returns the SHA-256 of their SHA-256s.
std::string sha256_of_pieces(std::string_view bytes) {
  constexpr std::size_t piece = std::size_t{1} << 24;
  std::vector<std::string> digests((bytes.size() + piece - 1) / piece);
  roofline::parallel_for(static_cast<int>(digests.size()), [&](int i) {
    const auto place = static_cast<std::size_t>(i);
    digests[place] = roofline::sha256_of(bytes.substr(place * piece, piece));
  });
  roofline::Sha256 hash;
  for (const std::string& digest : digests) hash.add(digest.data(), digest.size());
  return hash.digest();
}

std::string key_of(const Problem& problem) {
  std::string text = fmt::format("definition {}, TOL_Zero {:a}, tie_width {:a}\n",
                                 reference_definition, TOL_Zero, tie_width);
  text += fmt::format("{} bands, {} G', {} G, {} frequencies\n", problem.nbands, problem.ngpown,
                      problem.ncouls, problem.nfreq);
  text += fmt::format("limits {:a} {:a} {:a}\n", problem.limits.limitone, problem.limits.limittwo,
                      problem.limits.sexcut);
  relocate(problem, [&text](const char* name, auto array) {
    const std::string_view bytes(reinterpret_cast<const char*>(array.data),
                                 array.count() * sizeof(*array.data));
    text += fmt::format("{} {} {}\n", name, bytes.size(), sha256_of_pieces(bytes));
    return array;
  });
  return roofline::sha256_of(text);
}

// ---- The file: the numbers, and the SHA-256 of key and numbers ----------------------------------

/// Visits the time, the total, and the reference of each G'.
template <class Obtained, class Visit>
void for_each_part(Obtained& obtained, const Visit& visit) {
  visit(obtained.seconds);
  const auto visit_one = [&visit](auto& reference) {
    visit(reference.sums);
    visit(reference.magnitude);
    visit(reference.ties);
    visit(reference.tied_terms);
  };
  visit_one(obtained.reference);
  for (auto& of_one : obtained.reference.of_own_g) visit_one(of_one);
}

std::string numbers_of(const ObtainedReference& obtained) {
  std::string bytes;
  for_each_part(obtained, [&bytes](const auto& part) {
    bytes.append(reinterpret_cast<const char*>(&part), sizeof(part));
  });
  return bytes;
}

/// The file's content; nothing if it is missing, damaged or of another problem.
std::optional<ObtainedReference> read_file(const fs::path& path, const std::string& key,
                                           int ngpown) {
  ObtainedReference kept{.kept = true};
  kept.reference.of_own_g.resize(static_cast<std::size_t>(ngpown));
  std::string numbers = numbers_of(kept);
  try {
    const std::string content = roofline::text_of_outside_file(path);
    if (content.size() < numbers.size()) return std::nullopt;
    numbers = content.substr(0, numbers.size());
    if (content.substr(numbers.size()) != roofline::sha256_of(key + numbers)) return std::nullopt;
  } catch (const roofline::InputError&) {
    return std::nullopt;
  }
  const char* next = numbers.data();
  for_each_part(kept, [&next](auto& part) {
    std::memcpy(&part, next, sizeof(part));
    next += sizeof(part);
  });
  return kept;
}

/// Stores the file. Returns the reason of a failure, or "".
std::string keep(const fs::path& path, const std::string& key, const ObtainedReference& obtained) {
  try {
    fs::create_directories(path.parent_path());
    const std::string numbers = numbers_of(obtained);
    roofline::write_whole(path, numbers + roofline::sha256_of(key + numbers));
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

fs::path reference_folder() {
  const fs::path roofs = roofline::cache_folder();
  return roofs.empty() ? roofs : roofs.parent_path() / "gpp" / "references";
}

ObtainedReference obtain_reference(const Problem& problem, const fs::path& folder,
                                   const Progress& progress, std::int64_t least_terms) {
  const bool keeps = !folder.empty() && problem.terms() >= least_terms;
  const std::string key = keeps ? key_of(problem) : "";
  const fs::path path = folder / (key + ".gpp-reference");
  if (keeps)
    if (auto kept = read_file(path, key, problem.ngpown)) return *std::move(kept);
  ObtainedReference obtained;
  const double start = roofline::steady_seconds();
  obtained.reference = compute_reference(problem, progress);
  obtained.seconds = roofline::steady_seconds() - start;
  if (keeps) obtained.not_kept = keep(path, key, obtained);
  return obtained;
}

}  // namespace gpp
