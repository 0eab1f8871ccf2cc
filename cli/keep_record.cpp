#include "cli/keep_record.h"

#include "harness/record/record.h"

namespace gpp {

void keep_record(ResultsFolder& folder, const Measured& measured) {
  StudyRecord partial = measured.study;
  partial.complete = false;
  write_record(folder.working(), partial);
  if (measured.interrupted) return;
  folder.put_in_place();
  write_record(folder.path(), measured.study);
}

}  // namespace gpp
