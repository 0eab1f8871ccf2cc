# install_if_built(<target> <argument of install(TARGETS)>...): installs what was built. Where it was not,
# the installation goes on and says so: scripts that build a part can be followed by `cmake --install`.
function(install_if_built target)
  install(TARGETS ${target} ${ARGN} OPTIONAL)
  install(CODE "if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
  message(STATUS \"Not installed, because it is not built: $<TARGET_FILE_NAME:${target}>; build it: cmake --build '${CMAKE_BINARY_DIR}' --target ${target}\")
endif()")
endfunction()
