#!/usr/bin/env bash
# clang-format on every tracked source file and clang-tidy on the rooms that everything stands on.
# --fix rewrites the files instead; --all runs clang-tidy on every room.
set -euo pipefail
cd "$(dirname "$0")/.."

tidy_rooms="base r1cs"
case ${1:-} in
  --fix)
    git ls-files -co --exclude-standard -z -- '*.cpp' '*.hpp' | xargs -0 -r -n 16 -P "$(nproc)" clang-format -i
    exit
    ;;
  --all) tidy_rooms=$(ls src) ;;
  "") ;;
  *) echo "usage: $0 [--fix | --all]" >&2; exit 2 ;;
esac

status=0
echo "lint: clang-format"
git ls-files -z -- '*.cpp' '*.hpp' | xargs -0 -r -n 16 -P "$(nproc)" clang-format --dry-run -Werror || status=1

database=
for preset in dev release asan tsan; do
  if [[ -e build/$preset/compile_commands.json ]]; then database=build/$preset && break; fi
done
if [[ -z $database ]]; then
  cmake --preset dev --log-level=WARNING
  database=build/dev
fi
sources=()
for room in $tidy_rooms; do sources+=("src/$room/*.cpp"); done
echo "lint: clang-tidy on src/{${tidy_rooms// /,}}"
git ls-files -z -- "${sources[@]}" | xargs -0 -r -n 1 -P "$(nproc)" clang-tidy --quiet -p "$database" \
  --extra-arg=-Wno-unknown-warning-option 2> >(grep -v 'warnings generated' >&2) || status=1
exit $status
