# Every build runs this: it writes git's revision of SOURCE_DIR to OUTPUT by TEMPLATE if it changed.
# A revision from configuration would be wrong for later sources.
set(GPP_GIT_REVISION unknown)
set(GPP_GIT_DIRTY 1)
if(GIT)
  set(git ${GIT} -c safe.directory=${SOURCE_DIR} -C ${SOURCE_DIR})
  execute_process(COMMAND ${git} rev-parse HEAD OUTPUT_VARIABLE revision RESULT_VARIABLE failed
    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${git} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
  if(NOT failed)
    set(GPP_GIT_REVISION ${revision})
    string(COMPARE NOTEQUAL "${changes}" "" GPP_GIT_DIRTY)
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
