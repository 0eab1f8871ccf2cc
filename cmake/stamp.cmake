# Builds run this script when a header changed. It writes a hash of all headers for plug-ins to
# STAMP, which is installed with them, and to the program's SOURCE. The program refuses plug-ins
# with another hash.
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
