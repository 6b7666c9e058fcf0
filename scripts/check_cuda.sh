#!/usr/bin/env bash
# Compiles the CUDA sources, their tests and the command that uses them, where CUDA's compiler is. Needs no device: the
# tests then skip. Works in build/dev, whose other objects it shares, and leaves it configured without CUDA.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset dev -DPROOFLINE_CUDA=AUTO --log-level=WARNING
trap 'cmake --preset dev -DPROOFLINE_CUDA=OFF --log-level=WARNING' EXIT
if ! ninja -C build/dev -t query test_cuda >/dev/null 2>&1; then
  echo "CUDA sources not compiled: there is no nvcc here"
  exit 0
fi
cmake --build --preset dev --target test_cuda proofline
ctest --test-dir build/dev --output-on-failure -R '^test_cuda$'
