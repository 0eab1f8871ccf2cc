#include "harness/report/write.h"

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "harness/program/embedded.h"
#include "harness/record/record.h"
#include "harness/report/data.h"
#include "roofline/base/replace_file.h"
#include "roofline/page/assemble.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Every SVG of the folder: "roofline.svg", or "roofline-gpu.svg" and "roofline-host.svg", ...
StaticCharts static_charts(const fs::path& folder) {
  StaticCharts charts;
  std::error_code ignored;  // a folder that cannot be read is refused when it is written to
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".svg") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    if (file)
      charts[entry.path().filename().string()] =
          std::string(std::istreambuf_iterator<char>(file), {});
  }
  return charts;
}

/// "GPP on NVIDIA H200, Intel Xeon"
std::string title_of(const std::vector<NamedStudy>& studies) {
  std::set<std::string> devices;
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results)
      if (!result.device.empty()) devices.insert(result.device);
  std::string title =
      studies.empty() ? kernels().front()->title : kernel_of(studies.front().study).title;
  const std::size_t bare = title.size();
  for (const std::string& device : devices)
    title += (title.size() == bare ? " on " : ", ") + device;
  return title;
}

}  // namespace

roofline::PageParts embedded_parts() {
  roofline::PageParts parts;
  for (const embedded::File& file : embedded::report_page()) {
    if (file.path.ends_with(".html"))
      parts.page = file.text;
    else if (file.path.ends_with(".css"))
      parts.style = file.text;
    else if (file.path.ends_with(".min.js"))
      parts.plotly = file.text;
    else
      parts.script += file.text;
  }
  return parts;
}

fs::path write_report(const fs::path& folder, const std::vector<NamedStudy>& studies) {
  const fs::path path = folder / "report.html";
  // Without Plotly inside, static charts stand in; with it they would only make the file larger.
  const roofline::PageParts parts = embedded_parts();
  const StaticCharts charts = parts.plotly.empty() ? static_charts(folder) : StaticCharts{};
  roofline::write_whole(
      path, roofline::assemble_page(parts, title_of(studies), report_data(studies, charts)));
  return path;
}

}  // namespace gpp
