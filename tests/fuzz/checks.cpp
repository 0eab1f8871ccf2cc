#include "tests/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>

#include "roofline/base/text.h"
#include "tests/roofline/page_text.h"

namespace roofline::fuzz {

void require(bool condition, const char* what, const std::string& text) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n%s\n", what, text.c_str());
  std::abort();
}

void require_visible(const std::string& text) {
  require(visible_lines(text) == text, "a text that acts when shown", text);
}

void require_sound_page(const std::string& page) {
  const std::string fault = test::fault_of_page(page);
  require(fault.empty(), fault.c_str(), page);
}

}  // namespace roofline::fuzz
