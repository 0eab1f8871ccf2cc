#include "roofline/page/parts.h"

namespace roofline {

PageParts page_parts() {
  PageParts parts;
  for (const EmbeddedText& file : embedded_page()) parts.add(file.path, file.text);
  return parts;
}

}  // namespace roofline
