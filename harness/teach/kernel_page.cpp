#include "harness/teach/kernel_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "harness/teach/glossary.h"
#include "harness/teach/markdown_text.h"
#include "roofline/base/error.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

KernelPage page_of(const Kernel& kernel) {
  if (kernel.page != nullptr) return kernel.page();
  throw roofline::InputError(fmt::format(
      "there is no page on the kernel {}; it computes {}, and its lessons tell the rest",
      kernel.name, kernel.sentence));
}

bool is_variant(const Kernel& kernel, std::string_view name) {
  const std::vector<Variant>& catalog = kernel.catalog();
  return std::any_of(catalog.begin(), catalog.end(), [name](const Variant& variant) {
    return variant.id == name || variant.step == name;
  });
}

}  // namespace

std::optional<std::string> page_or_word(const Kernel& kernel, std::string_view name,
                                        std::size_t width) {
  if (is_variant(kernel, name)) return std::nullopt;
  if (name == page_name) {
    const std::string_view text = page_of(kernel).text.text;
    return markdown_text(text, width) + words_text(text, width);
  }
  if (const Word* word = find_word(name)) return word_text(*word, width);
  return std::nullopt;
}

std::vector<fs::path> write_pictures(const Kernel& kernel, const fs::path& folder) {
  const KernelPage page = page_of(kernel);
  if (page.pictures == nullptr)
    throw roofline::InputError(
        fmt::format("--svg: the page on the kernel {} has no pictures", kernel.name));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw roofline::InputError(
        fmt::format("--svg {}: cannot be made: {}", folder.string(), error.message()));
  std::vector<fs::path> files;
  for (const Picture& picture : page.pictures()) {
    files.push_back(folder / picture.name);
    std::ofstream stream(files.back());
    stream << picture.svg << std::flush;
    if (!stream)
      throw roofline::InputError(fmt::format("--svg: {} cannot be written", files.back().string()));
  }
  return files;
}

}  // namespace gpp
