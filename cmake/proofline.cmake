# Flags and small functions shared by every room.
add_library(proofline_flags INTERFACE)
target_compile_options(proofline_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual)
if(PROOFLINE_WERROR)
  target_compile_options(proofline_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of GCC 12 on std::string (GCC bug 105651).
  target_compile_options(proofline_flags INTERFACE -Wno-restrict)
endif()
if(NOT PROOFLINE_LANES)
  target_compile_definitions(proofline_flags INTERFACE PROOFLINE_NO_LANES)
endif()
if(PROOFLINE_SANITIZE)
  target_compile_options(proofline_flags INTERFACE
    -fsanitize=${PROOFLINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(proofline_flags INTERFACE -fsanitize=${PROOFLINE_SANITIZE})
endif()
if(PROOFLINE_FUZZ)
  # Coverage of the rooms, not only of the targets, steers the fuzzer.
  target_compile_options(proofline_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# proofline_room(NAME SOURCES a.cpp... LINKS lib...): one static library a folder of src/.
function(proofline_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINKS" ${ARGN})
  add_library(proofline_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(proofline_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(proofline_${name} PUBLIC ${ROOM_LINKS} PRIVATE proofline_flags)
endfunction()

# proofline_test_timeout(NAME SECONDS): longer with sanitizers, by as much as they slow programs down.
function(proofline_test_timeout name seconds)
  if(PROOFLINE_SANITIZE)
    math(EXPR seconds "5 * ${seconds}")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds})
endfunction()

# proofline_test(NAME SOURCES a.cpp... LINKS lib... LABELS label...): one GoogleTest program.
function(proofline_test name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 600)
  endif()
  add_executable(${name} ${T_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${name} PRIVATE
    PROOFLINE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  target_link_libraries(${name} PRIVATE ${T_LINKS} proofline_flags GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${T_LABELS}")
  proofline_test_timeout(${name} ${T_TIMEOUT})
endfunction()

# proofline_test_of_memory(NAME): a test whose limits are of resident memory. AddressSanitizer keeps freed memory for a
# while, to see who still uses it; here it must not, or every limit is passed.
function(proofline_test_of_memory name)
  if(PROOFLINE_SANITIZE MATCHES "address")
    set_tests_properties(${name} PROPERTIES
      ENVIRONMENT "ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0")
  endif()
endfunction()
