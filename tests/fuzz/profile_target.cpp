#include "tests/fuzz/targets.h"

#include <sys/mman.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "roofline/base/files.h"
#include "roofline/base/text.h"
#include "roofline/import/import.h"
#include "roofline/page/page.h"
#include "roofline/tool/show.h"
#include "roofline/view/svg.h"
#include "tests/roofline/well_formed.h"

namespace roofline::fuzz {
namespace {

/// A file in memory, which is removed with this object.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& text) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0 &&
                write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
            "a file in memory");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void show(Profile profile) {
  const nlohmann::ordered_json json = profile_json(profile);
  require(profile_json(read_profile(nlohmann::json(json), "written")) == json,
          "a profile read back", json.dump());
  for (const bool with_roofs : {false, true}) {
    if (with_roofs) {
      profile.ceilings = roofs_called(profile.kind == "amd" ? "mi250x" : "v100", profile.kind);
      derive(profile);
    }
    for (const bool details : {false, true})
      require_visible(profile_text(profile, By::kernel, details));
    require_visible(profile_learnt(profile, "a folder"));
    for (const Chart& chart : profile_pictures(profile)) {
      const std::string svg = svg_text(chart);
      require(test::not_well_formed(svg).empty(), "a picture", svg);
    }
    if (none_by(profile, By::range).empty()) {
      require_visible(profile_text(profile, By::range, true));
      require_visible(profiles_csv({{"", profile}}, By::range));
    }
    require_sound_page(profile_page(profile, "a folder"));
  }
}

/// Shows the result of `read`, if it has one.
template <class Read>
bool shown(const Read& read) {
  Profile profile;
  try {
    profile = read();
  } catch (const InputError& error) {
    require(*error.what() != '\0', "a message");
    require_visible(error.what());
    return false;
  }
  show(std::move(profile));
  return true;
}

}  // namespace

bool show_import(const std::string& text) {
  const MemoryFile file(text);
  return shown([&file] { return import_profile({file.path()}); });
}

bool show_profile(const std::string& text) {
  return shown([&text] { return read_profile(json_in(text, "fuzz", "write it anew"), "fuzz"); });
}

void show_page(const std::string& text) {
  const Table table{
      text, text, {{text, text, text}}, {{{{text, 1, text, "", text}}, {{text, text}}}}, {text}};
  const page::Html html = page::table(table, {.sortable = true, .opens = text}) +
                          page::facts({{text, text}}) + page::notice(text, {text}) +
                          page::some_of(text, text, {{text, text}, {"b", text}});
  require_sound_page(
      page::page_html({text, text, text, html, {}, page::section("a", text, text, html), text}));
}

}  // namespace roofline::fuzz
