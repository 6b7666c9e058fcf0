#!/usr/bin/env bash
# Installs what the build needs on Debian 12 / Ubuntu 22.04 and later, and nothing that is there already:
# Debian packages with apt-get (through sudo where you are not root), then third_party's pinned npm packages
# (blst's sources and, for the tests, snarkjs) with their install scripts disabled.
# Quick and silent when everything is in place. `setup.sh docs` adds Doxygen, `setup.sh dashboard` Chromium for the test
# of the dashboard; `setup.sh --minimal` leaves out what only lint and fuzzing need (clang and its tools).
set -euo pipefail
cd "$(dirname "$0")/.."

minimal=
docs=
dashboard=
for option in "$@"; do
  case $option in
    --minimal) minimal=yes ;;
    docs) docs=yes ;;
    dashboard) dashboard=yes ;;
    *) echo "usage: $0 [--minimal] [docs] [dashboard]" >&2; exit 2 ;;
  esac
done

packages=(
  build-essential cmake ninja-build pkg-config ccache git python3
  libtbb-dev libssl-dev nlohmann-json3-dev libsimdjson-dev libcli11-dev libfmt-dev
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev
  libsqlite3-dev libzstd-dev zstd
)
daemon_packages=(  # not every release has all; without them all but the daemon is built
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc libspdlog-dev libtomlplusplus-dev
  libboost-dev prometheus-cpp-dev
)
[[ -n $minimal ]] || packages+=(clang clang-format clang-tidy)
[[ -z $docs ]] || packages+=(doxygen)
[[ -z $dashboard ]] || packages+=(chromium fonts-dejavu-core)

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# A command from elsewhere (a newer CMake, say) does as well as the package of its name.
needs() {
  case $1 in
    cmake | pkg-config | ccache | git | python3 | clang-format | clang-tidy | doxygen | zstd) ! command -v "$1" >/dev/null ;;
    ninja-build) ! command -v ninja >/dev/null ;;
    *) ! installed "$1" ;;
  esac
}

apt() {
  local run=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || die "not root and no sudo; install by hand: ${packages[*]}"
    run=(sudo "${run[@]}")
  fi
  "${run[@]}" "$@"
}

updated=
update_once() {
  [[ -n $updated ]] || apt update || die "apt-get update failed; is the network up?"
  updated=yes
}

apt_install() {
  command -v apt-get >/dev/null || die "no apt-get here (Debian 12 or Ubuntu 22.04 wanted); install by hand: $*"
  update_once
  say "installing $*"
  apt install -y --no-install-recommends "$@" >/dev/null || die "apt-get install failed for: $*"
}

# Whether every one of the packages is in the release. Fetches its lists when there are none.
release_has() {
  command -v apt-cache >/dev/null || return
  apt-cache show cmake >/dev/null 2>&1 || update_once
  local package
  for package in "$@"; do
    apt-cache show "$package" >/dev/null 2>&1 || return
  done
}

missing_of_daemon=()
for package in "${daemon_packages[@]}"; do
  if needs "$package"; then missing_of_daemon+=("$package"); fi
done
if ((${#missing_of_daemon[@]} == 0)) || release_has "${missing_of_daemon[@]}"; then
  packages+=("${daemon_packages[@]}")
else
  say "this release does not have all of ${missing_of_daemon[*]}: everything is built but the daemon and its clients"
fi

missing=()
for package in "${packages[@]}"; do
  if needs "$package"; then missing+=("$package"); fi
done
# Node.js packages from outside Debian bring npm along and conflict with Debian's.
if ! command -v node >/dev/null; then missing+=(nodejs); fi
if ! command -v npm >/dev/null; then missing+=(npm); fi

# libFuzzer and the sanitizers' run time: part of clang's own packages on some releases, apart on others.
have_clang_runtime() {
  command -v clang >/dev/null && [[ -e $(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a") ||
    -e $(clang -print-file-name=libclang_rt.fuzzer.a) ]]
}

if ((${#missing[@]})); then apt_install "${missing[@]}"; fi
if [[ -z $minimal ]] && ! have_clang_runtime; then
  major=$(clang -dumpversion | cut -d. -f1)
  update_once
  for package in "libclang-rt-$major-dev" libclang-rt-dev "libclang-common-$major-dev"; do
    if apt-cache show "$package" >/dev/null 2>&1 && ! installed "$package"; then
      apt_install "$package"
      have_clang_runtime && break
    fi
  done
fi

# npm writes node_modules/.package-lock.json last: its age tells whether the folder is complete and current.
stamp=third_party/node_modules/.package-lock.json
if [[ ! -e $stamp || third_party/package-lock.json -nt $stamp ]]; then
  say "fetching third_party's pinned npm packages"
  (cd third_party && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) ||
    die "npm ci failed in third_party"
  touch "$stamp"
fi
[[ -e third_party/node_modules/c-kzg/deps/blst/src/server.c ]] || die "npm ci did not bring blst's sources"
