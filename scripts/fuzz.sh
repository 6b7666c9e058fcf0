#!/usr/bin/env bash
# Runs every libFuzzer target of a build: fuzz.sh BUILD_FOLDER [SECONDS]
# A target NAME starts from the files of tests/data/fuzz/NAME, of tests/fuzz/corpus/NAME, and of what seeds() gives it;
# what it learns stays in BUILD_FOLDER/corpus/NAME.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:?usage: fuzz.sh BUILD_FOLDER [SECONDS]}")
seconds=${2:-60}

# seeds NAME FOLDER: puts test data that the target NAME reads into FOLDER. Large seeds slow a fuzzer down,
# so beside each goes its beginning.
seeds() {
  local pattern
  case $1 in
    *json* | *c1* | *vanilla*) pattern='c1*.json*|phase1*.json*|*envelope*.json*' ;;
    *bincode*) pattern='vanilla-*.bin' ;;
    *param*) pattern='*.params*' ;;
    *vk* | *verifying*) pattern='*.vk*' ;;
    *proof*) pattern='*.proof*' ;;
    *) return 0 ;;
  esac
  local file name
  while IFS= read -r file; do
    name=$(basename "$file")
    [[ $name == @($pattern) ]] || continue
    name=${file//\//_}
    case $name in
      *.zst) zstd -dqf --long=27 "$file" -o "$2/${name%.zst}" && name=${name%.zst} ;;
      *) cp "$file" "$2/$name" ;;
    esac
    head -c 4096 "$2/$name" >"$2/$name.head"
    if (($(stat -c %s "$2/$name") > 2097152)); then rm "$2/$name"; fi
  done < <(find tests/data -type f)
}

status=0
found=
while IFS= read -r target; do
  found=yes
  name=$(basename "$target")
  corpus=$build/corpus/$name
  mkdir -p "$corpus"
  for folder in "tests/data/fuzz/$name" "tests/fuzz/corpus/$name"; do
    if [[ -d $folder ]]; then cp "$folder"/* "$corpus"/; fi
  done
  seeds "$name" "$corpus"
  printf '\n== %s: %s seeds, %s seconds\n' "$name" "$(find "$corpus" -type f | wc -l)" "$seconds"
  if ! (cd "$build" && "$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3072 -print_final_stats=1 \
    -artifact_prefix="$build/crash-$name-" "$corpus") 2>"$build/fuzz-$name.log"; then
    status=1
    echo "== $name FAILED; its log: $build/fuzz-$name.log"
    grep -aE 'ERROR|SUMMARY|Test unit written' "$build/fuzz-$name.log" || true
  fi
  grep -aE 'stat::(number_of_executed_units|new_units_added|peak_rss_mb)' "$build/fuzz-$name.log" || true
done < <(find "$build/tests/fuzz" -maxdepth 1 -type f -executable | sort)
[[ -n $found ]] || { echo "fuzz: no target in $build/tests/fuzz" >&2; exit 1; }
exit $status
