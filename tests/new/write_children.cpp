// Writes a child of every variant of a model into a folder: write_children SOURCES MODEL FOLDER
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "harness/hackathon/new_variant.h"
#include "harness/sources/source_files.h"

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
      const fs::path file = folder / child.file.filename();
      if (gpp::text_of(file) != child.text) std::ofstream(file) << child.text;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_children: %s\n", error.what());
    return 1;
  }
  return 0;
}
