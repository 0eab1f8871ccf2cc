#include "harness/report/write.h"

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "harness/record.h"
#include "harness/report/data.h"
#include "harness/report/page.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

StaticCharts static_charts(const fs::path& folder) {
  StaticCharts charts;
  for (const char* name : {"roofline.svg", "time.svg", "ladder.svg"}) {
    std::ifstream file(folder / name, std::ios::binary);
    if (file) charts[name] = std::string(std::istreambuf_iterator<char>(file), {});
  }
  return charts;
}

/// "GPP on NVIDIA H200, Intel Xeon"
std::string title_of(const std::vector<NamedStudy>& studies) {
  std::set<std::string> devices;
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results)
      if (!result.device.empty()) devices.insert(result.device);
  std::string title = "GPP";
  for (const std::string& device : devices) title += (title == "GPP" ? " on " : ", ") + device;
  return title;
}

}  // namespace

fs::path write_report(const fs::path& folder, const std::vector<NamedStudy>& studies) {
  const fs::path path = folder / "report.html";
  // Without Plotly inside, static charts stand in; with it they would only make the file larger.
  const PageParts parts = embedded_parts();
  const StaticCharts charts = parts.plotly.empty() ? static_charts(folder) : StaticCharts{};
  write_whole(path, assemble_page(parts, title_of(studies), report_data(studies, charts)));
  return path;
}

}  // namespace gpp
