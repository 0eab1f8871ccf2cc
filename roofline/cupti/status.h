// The state of CUPTI on this machine, for people; needs no CUPTI to compile.
#pragma once

#include <string>

namespace roofline::cupti {

struct Status {
  std::string path;      ///< of the library; empty where none can be used
  std::string cuda;      ///< the CUDA version it came with: "13.0"
  std::string missing;   ///< why there is none, with the remedy
  std::string mismatch;  ///< why it does not suit the driver, with the remedy; empty where it does
};

Status status();

}  // namespace roofline::cupti
