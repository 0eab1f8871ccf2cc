#include "harness/report/write.h"

#include <set>
#include <string>

#include "harness/program/embedded.h"
#include "harness/record/record.h"
#include "harness/report/data.h"
#include "roofline/base/replace_file.h"
#include "roofline/page/parts.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

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
  roofline::PageParts parts = roofline::page_parts();
  for (const embedded::File& file : embedded::report_page()) parts.add(file.path, file.text);
  parts.without_script =
      "Everything it shows is in the files study.json and trajectory.json that it was made from; "
      "<code>gpp report DIR</code> prints "
      "the table.";
  return parts;
}

fs::path write_report(const fs::path& folder, const std::vector<NamedStudy>& studies,
                      const std::vector<NamedTrajectory>& trajectories) {
  const fs::path path = folder / "report.html";
  // Without Plotly inside, static charts stand in; with it they would only make the file larger.
  const roofline::PageParts parts = embedded_parts();
  const roofline::StaticCharts charts =
      parts.plotly.empty() ? roofline::static_charts(folder) : roofline::StaticCharts{};
  roofline::write_whole(path, roofline::assemble_page(parts, title_of(studies),
                                                      report_data(studies, charts, trajectories)));
  return path;
}

}  // namespace gpp
