#!/usr/bin/env bash
# Checks and measures the CUDA backend on a machine with a GPU, from a folder that gpu_pack.sh packed:
#   gpu_checks.sh tests          all tests of CUDA code
#   gpu_checks.sh random N       N random cases of each kind against the CPU (5000: about five minutes)
#   gpu_checks.sh memory         compute-sanitizer's memcheck, and racecheck on the test that has all kernels
#   gpu_checks.sh stages         each stage of a 32 GiB partition alone, and whole
#   gpu_checks.sh run COMMAND... any packed program, such as: run proofline bench porep --sector 32GiB
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here/lib" PATH="$here/bin:/usr/local/cuda/bin:$PATH"
if [[ -z ${1:-} || ! -e $here/source_folder ]]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
  exit 2
fi
source_folder=$(cat "$here/source_folder")
if [[ ! -e $source_folder/tests/data ]]; then
  mkdir -p "$source_folder/tests"
  ln -s "$here/tests/data" "$source_folder/tests/data"
fi

case $1 in
  tests) test_cuda ;;
  random) PROOFLINE_CUDA_CASES=${2:?how many cases?} test_cuda --gtest_filter='*RandomCases*' ;;
  memory)
    compute-sanitizer --tool memcheck --error-exitcode 1 "$here/bin/test_cuda" \
      --gtest_filter='RowValuesOnDevice.*:QueryScalarsOnDevice.*:DeviceSetup.*:ProverTest.*'
    compute-sanitizer --tool racecheck --error-exitcode 1 "$here/bin/test_cuda" --gtest_filter='ProverTest.*'
    ;;
  stages) partition_cuda_bench "$here/porep-32g.circuit" 32GiB ;;
  run) shift; "$@" ;;
  *) echo "gpu_checks.sh: \"$1\": not one of tests, random, memory, stages, run" >&2; exit 2 ;;
esac
