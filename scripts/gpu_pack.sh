#!/usr/bin/env bash
# What a machine with a GPU and nothing else needs to check and measure the CUDA backend: gpu_pack.sh OUT.tgz
# Builds build/cuda (command, tests, benchmarks) and packs it with the libraries it uses and a circuit file of 32 GiB
# sectors. There: tar xzf OUT.tgz -C FOLDER; FOLDER/gpu_checks.sh (which says what it can do).
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?usage: gpu_pack.sh OUT.tgz}

cmake -S . -B build/cuda -G Ninja -DCMAKE_BUILD_TYPE=Release -DPROOFLINE_CUDA=ON -DPROOFLINE_BENCH=ON --log-level=WARNING
programs=(proofline test_cuda msm_cuda_bench ntt_cuda_bench bit_sum_bench field_bench row_values_cuda_bench
          setup_cuda_bench partition_cuda_bench)
cmake --build build/cuda --target "${programs[@]}"

pack=$(mktemp -d)
trap 'rm -rf "$pack"' EXIT
mkdir -p "$pack/bin" "$pack/lib" "$pack/tests"
for program in "${programs[@]}"; do
  file=$(find build/cuda -type f -name "$program" -perm -u+x | head -n 1)
  strip -o "$pack/bin/$program" "$file"
  # All but what every system of the same age has.
  ldd "$file" | awk '$3 ~ /^\// {print $3}' | grep -vE '/lib(c|m|stdc\+\+|gcc_s|pthread|dl|rt)\.so' || true
done | sort -u | xargs -r cp -Lt "$pack/lib"
cp -r tests/data "$pack/tests/data"
cp scripts/gpu_checks.sh "$pack/"
pwd >"$pack/source_folder"  # where the tests look for their data
build/cuda/src/cli/proofline circuit save --sector 32GiB -o "$pack/porep-32g.circuit"
tar czf "$out" -C "$pack" .
printf '%s: %s\n' "$out" "$(du -h "$out" | cut -f1)"
