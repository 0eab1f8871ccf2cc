#include "harness/report/write_study.h"

#include "harness/report/page.h"
#include "harness/view/outcome.h"
#include "harness/view/study_charts.h"
#include "harness/view/summary.h"
#include "roofline/base/replace_file.h"
#include "roofline/view/chart_files.h"

namespace gpp {

std::string in_full(const StudyRecord& study, bool colours) {
  return summary(study, colours) + terminal_rooflines(study) + doubts(study, colours);
}

roofline::WrittenCharts write_study(ResultsFolder& folder, const Measured& measured) {
  write_partial_record(folder, measured);
  const std::vector<NamedStudy> named = {{folder.name(), measured.study}};
  roofline::write_whole(folder.working() / "study.csv", csv(named));
  roofline::write_whole(folder.working() / "summary.txt",
                        in_full(measured.study, false) + learnt(measured.study));
  // Everything drawn can be redrawn from the record, so the record is completed first.
  put_in_place(folder, measured);
  roofline::WrittenCharts charts = roofline::write_charts(folder.working(), study_charts(named));
  write_report(folder.working(), named);
  return charts;
}

}  // namespace gpp
