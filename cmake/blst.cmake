# blst: BLS12-381 fields, curves and pairing (C and assembly).
# Taken from PROOFLINE_BLST_DIR, or from the npm package c-kzg that scripts/setup.sh installs.
set(PROOFLINE_BLST_DIR "${PROJECT_SOURCE_DIR}/third_party/node_modules/c-kzg/deps/blst"
    CACHE PATH "Folder with blst's src/, build/ and bindings/")
if(NOT EXISTS "${PROOFLINE_BLST_DIR}/src/server.c")
  message(FATAL_ERROR
    "blst's sources are not in ${PROOFLINE_BLST_DIR}. Run scripts/setup.sh, "
    "or set PROOFLINE_BLST_DIR to a checkout of blst.")
endif()
enable_language(C ASM)
add_library(blst STATIC "${PROOFLINE_BLST_DIR}/src/server.c" "${PROOFLINE_BLST_DIR}/build/assembly.S")
target_include_directories(blst SYSTEM PUBLIC "${PROOFLINE_BLST_DIR}/bindings")
# The portable build picks mulx/adx code at run time, so one binary serves every x86-64.
target_compile_definitions(blst PRIVATE __BLST_PORTABLE__)
target_compile_options(blst PRIVATE -O2 -fno-builtin -fPIC -w)
