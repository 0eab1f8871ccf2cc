// Writes a child of every variant of a model into a folder: write_children SOURCES MODEL FOLDER
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "gpp/study/kernel.h"
#include "harness/program/source_files.h"
#include "harness/teach/new_variant.h"

namespace {

void write_if_changed(const std::filesystem::path& folder, const gpp::NewFile& made) {
  const std::filesystem::path file = folder / made.file.filename();
  if (gpp::text_of(file) != made.text) std::ofstream(file) << made.text;
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 4) return 2;
  const fs::path sources = argv[1];
  const fs::path folder = argv[3];
  try {
    fs::create_directories(folder);
    for (const gpp::Variant& parent : gpp::catalog()) {
      if (parent.model != argv[2] || fs::path(parent.source).extension() == ".md") continue;
      const std::string name = "child_of_" + parent.id;
      const gpp::NewVariant child =
          gpp::plan_new_variant(gpp::catalog(), sources, {name, parent.id, parent.model});
      write_if_changed(folder, child);
      if (child.form) write_if_changed(folder, *child.form);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_children: %s\n", error.what());
    return 1;
  }
  return 0;
}
