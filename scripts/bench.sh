#!/usr/bin/env bash
# Runs every benchmark program of a build: bench.sh BUILD_FOLDER [Google Benchmark options...]
set -euo pipefail
build=${1:?usage: bench.sh BUILD_FOLDER [options]}
shift
printf 'machine: %s, %s threads, %s MiB memory\n' \
  "$(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(($(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo) / 1024))"
printf 'commit:  %s\n' "$(git describe --always --dirty)"
found=
while IFS= read -r program; do
  found=yes
  printf '\n== %s\n' "$(basename "$program")"
  "$program" "$@"
done < <(find "$build/bench" -type f -executable -name '*_bench' | sort)
[[ -n $found ]] || { echo "bench: no *_bench program in $build/bench" >&2; exit 1; }
