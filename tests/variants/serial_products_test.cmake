# Tests whether the compiler serialises wgmma's products. It then prints a note, and the code is
# correct but four times slower.
execute_process(
  COMMAND ${NVCC} -std=c++20 -O3 -DNDEBUG --generate-code=arch=compute_90a,code=sm_90a -Xptxas -v "-DGPP_KIND=\"gpu\""
    -I${SOURCE_DIR} -c ${SOURCE_DIR}/variants/cuda/hopper/v14_integers.cu -o ${FOLDER}/v14_integers.o
  RESULT_VARIABLE failed OUTPUT_VARIABLE notes ERROR_VARIABLE notes)
if(failed)
  message(FATAL_ERROR "v14_integers.cu does not compile:\n${notes}")
endif()
if(NOT notes MATCHES "integers_kernel")
  message(FATAL_ERROR "the compiler tells nothing of the kernel:\n${notes}")
endif()
if(notes MATCHES "\\(C75[0-9][0-9]\\)[^\n]*")
  message(FATAL_ERROR "products wait for each other, or registers are not given: ${CMAKE_MATCH_0}")
endif()
# Sums that do not fit into registers would be spilled to memory and back in every step.
string(REGEX MATCHALL "([0-9]+) bytes spill stores" spills "${notes}")
foreach(spill IN LISTS spills)
  string(REGEX MATCH "^[0-9]+" bytes "${spill}")
  if(bytes GREATER 64)
    message(FATAL_ERROR "a kernel keeps ${bytes} bytes of registers in memory:\n${notes}")
  endif()
endforeach()
