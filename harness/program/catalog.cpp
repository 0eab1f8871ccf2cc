#include "harness/program/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "harness/program/source_files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Turns the name of a registered function, "sweep<20>", into that of its step, "sweep_20".
std::string step_called(std::string_view function) {
  std::string step(function);
  std::ranges::replace(step, '<', '_');
  std::erase(step, '>');
  return step;
}

/// What stands between two texts in a line of the code; empty if no line begins and ends so.
std::vector<std::string> between(std::string_view code, std::string_view begin,
                                 std::string_view end) {
  std::vector<std::string> found;
  std::istringstream lines{std::string(code)};
  for (std::string line; std::getline(lines, line);) {
    const std::string_view text = roofline::trimmed(line);
    if (line.starts_with(begin) && text.ends_with(end))
      found.emplace_back(text.substr(begin.size(), text.size() - begin.size() - end.size()));
  }
  return found;
}

/// What a line "// Made from v8_power2." tells, without the full stop; "" if there is none.
std::string told(std::string_view code, std::string_view begin) {
  const std::vector<std::string> lines = between(code, begin, ".");
  return lines.empty() ? "" : lines.front();
}

/// The line "// Operations: 2 N fp32 per element; 4 bytes." In a family, "2 N" means two times the
/// number of the member, "20".
std::string operations_of(std::string_view code, std::string_view member) {
  const std::string said = told(code, "// Operations: ");
  const std::size_t at = said.find(" N ");
  const auto number = roofline::whole_number(member);
  const auto times = roofline::whole_number(said.substr(0, at));
  if (at == std::string::npos || !times || !number) return said;
  return fmt::format("{} {}", *times * *number, said.substr(at + 3));
}

/// Adds what the program holds of a variant, and why it lacks the rest.
void add_builds(Variant& variant, const std::vector<Recipe>& recipes) {
  for (const Recipe& recipe : recipes) {
    if (recipe.model != variant.model) continue;
    if (const Registration* one = registered(Registration::first, variant, recipe.kind))
      variant.builds.push_back({recipe.kind, Call(*one), recipe.runtime});
    else
      variant.not_built.push_back({recipe.kind, recipe.missing});
  }
  if (!variant.builds.empty()) return;
  variant.reason = variant.not_built.back().reason;
  variant.not_built.clear();
}

/// The variants of an embedded file; none if it is a helper.
std::vector<Variant> variants_of(const embedded::File& file, const std::string& model,
                                 const std::vector<Recipe>& recipes) {
  const fs::path path = file.path;
  Variant whole = variant_in_file(path, model);
  if (path.extension() == ".md") {
    whole.reason = file.text.substr(0, file.text.find('\n'));
    return {whole};
  }
  const bool is_source = path.extension() == ".cpp" || path.extension() == ".cu";
  if (!is_source || path.parent_path().filename() == "support") return {};
  std::vector<Variant> variants = variants_in(path, model, file.text);
  for (Variant& variant : variants) add_builds(variant, recipes);
  whole.reason =
      fmt::format("its file lacks the line GPP_VARIANT({}); under the function", whole.step);
  return variants.empty() ? std::vector{whole} : variants;
}

}  // namespace

std::vector<Variant> variants_in(const fs::path& source, const std::string& model,
                                 std::string_view text) {
  const Variant file = variant_in_file(source, model);
  std::vector<Variant> variants;
  for (const std::string& function : between(text, "GPP_VARIANT(", ");")) {
    const std::string step = step_called(function);
    Variant& one = variants.emplace_back(file);
    if (step != file.step) one.id = one.step = step;
    const std::string own = text_of_member(text, step);
    one.operations = operations_of(own, step.substr(step.rfind('_') + 1));
    one.made_from = told(own, "// Made from ");
  }
  std::ranges::stable_partition(variants, [&file](const Variant& one) {
    return one.step == file.step || one.step.starts_with(file.step + "_");
  });
  return variants;
}

std::string top_comment(std::string_view text) {
  std::size_t end = 0;
  while (text.substr(end).starts_with("//"))
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return std::string(text.substr(0, end));
}

std::string text_of_member(std::string_view text, std::string_view step) {
  std::string own_comment, rest;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    std::string_view paragraph = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    const std::vector<std::string> registered = between(paragraph, "GPP_VARIANT(", ");");
    const bool is_own = std::ranges::find(registered, step, step_called) != registered.end();
    if (!registered.empty() && !is_own) continue;
    if (is_own && !told(paragraph, "// Operations: ").empty()) {
      own_comment = top_comment(paragraph);
      paragraph.remove_prefix(own_comment.size());
    }
    rest += std::string(paragraph) + (text.empty() ? "" : "\n\n");
  }
  return own_comment.empty() ? rest : own_comment + rest.substr(top_comment(rest).size());
}

std::string text_of(const Variant& variant) {
  return text_of_member(source_text(variant.source).value_or(""), variant.step);
}

const Registration* registered(const Registration* list, const Variant& variant,
                               std::string_view kind) {
  for (const Registration* one = list; one != nullptr; one = one->next)
    if (kind == one->kind && step_called(one->name) == variant.step &&
        ("/" + std::string(one->file)).ends_with("/" + variant.source))
      return one;
  return nullptr;
}

std::vector<Variant> make_catalog(const std::string& folder, const std::vector<Recipe>& recipes,
                                  std::span<const embedded::File> sources) {
  std::vector<Variant> all;
  std::string last;
  for (const Recipe& recipe : recipes) {
    if (recipe.model == last) continue;  // the same model on another kind of device
    last = recipe.model;
    const std::size_t first = all.size();
    for (const embedded::File& file : sources)
      if (file.path.starts_with(fmt::format("{}/{}/", folder, last)))
        std::ranges::move(variants_of(file, last, recipes), std::back_inserter(all));
    std::ranges::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), {},
                             [](const Variant& variant) { return number_of(variant.id); });
  }
  return all;
}

}  // namespace gpp
