// NVTX ranges, as CUPTI tells of them.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "roofline/cupti/functions.h"
#include "roofline/inject/selection.h"

namespace roofline::inject {

/// Tells a chooser which ranges are open. Names in wide characters are not read.
class Marks {
 public:
  explicit Marks(Chooser& chooser) : chooser_(chooser) {}

  void seen(CUpti_CallbackId id, const CUpti_NvtxData& data);

 private:
  void registered(const CUpti_NvtxData& data);
  void started(const std::string& name, const CUpti_NvtxData& data);
  std::string name_in(const void* attributes);

  Chooser& chooser_;
  std::mutex mutex_;
  std::map<const void*, std::string> names_;  // that the program registered, by handle
};

}  // namespace roofline::inject
