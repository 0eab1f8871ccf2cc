# Run by builds in which a header changed: writes a hash of all headers that plug-ins are compiled against to
# STAMP, where they are installed from, and into the program's SOURCE. A program refuses plug-ins that have
# another one.
cmake_minimum_required(VERSION 3.25)
include(${LIST})
set(all ${version})
foreach(header IN LISTS headers)
  file(SHA256 ${folder}/${header} hash)
  string(APPEND all "\n${header} ${hash}")
endforeach()
string(SHA256 stamp "${all}")
file(WRITE ${STAMP} ${stamp}\n)
file(WRITE ${SOURCE} "// Written by cmake/stamp.cmake.
#include \"harness/plugin/plugin.h\"

namespace gpp {

const std::string_view plugin_stamp = \"${stamp}\";

}  // namespace gpp
")
