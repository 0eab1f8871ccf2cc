// A series in charts and tables: the results of one model on one machine, over all studies that are
// shown together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/view/table.h"

namespace gpp {

/// A recorded study and its folder.
struct NamedStudy {
  std::string name;
  StudyRecord study;
};

/// The results of one model on one machine that ran, timed or not, sorted by step.
struct StudySeries {
  const NamedStudy* named = nullptr;
  std::string kind;       ///< kind of device: "gpu", "host"
  std::string model;      ///< name in the record: "omp"
  std::string machine;    ///< identifier of the machine: "0 gpu"
  std::string device;     ///< label: "NVIDIA H200"; with the study's name if several share it
  std::string label;      ///< "NVIDIA H200, cuda"
  std::size_t place = 0;  ///< index among all series, which selects the colour
  std::vector<const Result*> results;

  const StudyRecord& study() const { return named->study; }
  /// {"machine", "0 gpu"}, {"model", "cuda"}, {"series", "0 gpu cuda"}
  roofline::Tags tags() const;
};

/// All series; in each study, GPUs come before hosts. They point into the studies.
std::vector<StudySeries> series_of(const std::vector<NamedStudy>& studies);

/// Shortens "Intel(R) Xeon(R) Processor" to "Intel Xeon".
std::string short_device(const std::string& name);

/// Returns "v7 reciprocal", or a single name if both are equal, such as "my_idea".
std::string full_name(const Result& result);

/// An input's name without its folders.
std::string input_name(const InputRecord& input);

}  // namespace gpp
