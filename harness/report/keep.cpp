#include "harness/report/keep.h"

#include "harness/record/record.h"
#include "harness/report/write.h"
#include "harness/show/charts.h"
#include "harness/show/csv.h"
#include "harness/show/load_text.h"
#include "harness/show/summary.h"
#include "roofline/base/replace_file.h"

namespace gpp {

void keep_record(ResultsFolder& folder, const Measured& measured) {
  StudyRecord partial = measured.study;
  partial.complete = false;
  write_record(folder.working(), partial);
  if (measured.interrupted) return;
  folder.put_in_place();
  write_record(folder.path(), measured.study);
}

std::string keep_study(ResultsFolder& folder, const Measured& measured) {
  StudyRecord partial = measured.study;
  partial.complete = false;
  write_record(folder.working(), partial);
  const std::vector<NamedStudy> named = {{folder.name(), measured.study}};
  roofline::write_whole(folder.working() / "study.csv", csv(named));
  roofline::write_whole(folder.working() / "summary.txt",
                        summary(measured.study, false) + doubts(measured.study, false));
  const roofline::WrittenCharts charts = write_charts(folder.working(), named);
  write_report(folder.working(), named);
  if (measured.interrupted) return charts.note;
  folder.put_in_place();
  write_record(folder.path(), measured.study);
  return charts.note;
}

}  // namespace gpp
