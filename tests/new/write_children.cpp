// Writes a copy of every variant of a model into its place in a tree: write_children SOURCES MODEL
// TREE
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "gpp/study/kernel.h"
#include "harness/program/source_files.h"
#include "harness/teach/new_variant.h"

namespace {

void write_if_changed(const std::filesystem::path& tree, const gpp::NewFile& made) {
  const std::filesystem::path file = tree / made.file;
  std::filesystem::create_directories(file.parent_path());
  if (gpp::text_of(file) != made.text) std::ofstream(file) << made.text;
}

/// The unchanged lines of a diff and those with that sign, without the first column.
std::string side(const std::string& diff, char sign) {
  std::istringstream lines(diff);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(' ') || line.starts_with(sign)) text += line.substr(1) + "\n";
  return text;
}

/// The n-th diff block of a page, from 0.
std::string diff_block(const std::string& page, int n) {
  const std::string opening = "```diff\n";
  std::size_t at = page.find(opening);
  for (int i = 0; i < n && at != page.npos; ++i) at = page.find(opening, at + 1);
  if (at == page.npos) throw std::runtime_error("the students' page shows too few changes");
  at += opening.size();
  return page.substr(at, page.find("```", at) - at);
}

/// Applies the edit that the page describes.
std::string edited(std::string code, const std::string& diff) {
  const std::string before = side(diff, '-');
  const std::size_t at = code.find(before);
  if (at == code.npos) throw std::runtime_error("what the page changes is not there:\n" + before);
  return code.replace(at, before.size(), side(diff, '+'));
}

std::string renamed(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Writes the variants of the students' page under reserved names: the first idea, and the second
/// made from it.
void write_guided(const std::filesystem::path& sources, const std::filesystem::path& tree,
                  const gpp::Variant& v8) {
  const std::string first = "guided_first";
  const std::string second = "guided_second";
  std::string page = gpp::text_of(sources / "docs/hackathon-students.md");
  page = renamed(renamed(page, "my_idea", first), "skip_near", second);
  gpp::NewVariant idea = gpp::plan_new_variant(gpp::gpp_kernel(), sources, first, v8);
  idea.text = edited(idea.text, diff_block(page, 0));
  write_if_changed(tree, idea);
  write_if_changed(tree, *idea.form);
  const auto made_from = [&](const gpp::NewFile& file) {
    return gpp::NewFile{renamed(file.file.string(), first, second),
                        renamed(file.text, first, second)};
  };
  gpp::NewFile skip = made_from(idea);
  skip.text = edited(skip.text, diff_block(page, 1));
  write_if_changed(tree, skip);
  write_if_changed(tree, made_from(*idea.form));
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 4) return 2;
  const fs::path sources = argv[1];
  const fs::path tree = argv[3];
  try {
    for (const gpp::Variant& parent : gpp::catalog()) {
      const bool of_family = gpp::variant_in_file(parent.source, parent.model).id != parent.id;
      if (parent.model != argv[2] || fs::path(parent.source).extension() == ".md" || of_family)
        continue;
      const std::string name = "child_of_" + fs::path(parent.source).stem().string();
      const gpp::NewVariant child = gpp::plan_new_variant(gpp::gpp_kernel(), sources, name, parent);
      write_if_changed(tree, child);
      if (child.form) write_if_changed(tree, *child.form);
      if (parent.model == "omp" && parent.id == "v8") write_guided(sources, tree, parent);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_children: %s\n", error.what());
    return 1;
  }
  return 0;
}
