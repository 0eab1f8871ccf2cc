// A file with formulas of the operations and bytes of kernels.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/formula.h"
#include "roofline/inject/selection.h"
#include "roofline/profile.h"

namespace roofline {

/// Its form is that of table_text.h; docs/roofline.md describes it.
class WorkFile {
 public:
  /// Reads the text; `source` is its name for messages. Throws InputError with the line.
  WorkFile(std::string_view text, const std::string& source);

  /// States the work of the kernels whose names fit, in place of what formulas stated before, and
  /// derives anew. What has no value is missing, with the line of its formula. Returns the
  /// expressions that fit no kernel.
  std::vector<std::string> state(Profile& profile) const;

 private:
  struct Amount {
    std::string key;
    std::string place;  ///< "work.txt:4"
    Formula formula;
  };
  struct Entry {
    std::string expression;
    std::shared_ptr<inject::Chooser> chooser;
    std::vector<Amount> amounts;
  };
  void state(const Entry& entry, KernelProfile& kernel) const;

  std::string source_;
  std::vector<Entry> entries_;
};

/// Reads a file. Throws InputError.
WorkFile work_file(const std::string& name);

}  // namespace roofline
