#!/usr/bin/env python3
"""Checks the tree's layering and portability.

Layering: a folder of src/ may include itself and folders above it in ROOMS, nothing below.
Portability: no committed file may refer to what only one machine has (see FORBIDDEN).

CUDA: calls that wait for a whole device or allocate stand in one file, of start-up (see DEVICE_WIDE).

Prints each finding as file:line: text; exits 1 when there is one. --self-test proves that findings are found.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOMS = ["base", "math", "r1cs", "gadgets", "groth16", "device", "filecoin", "engine", "service", "cli"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')

# Written in pieces so that this file is not a finding itself.
FORBIDDEN = [
    (re.compile(r"\.\./" r"shared\b"), "a folder outside the repository"),
    (re.compile(r"/work" r"/"), "a path of one machine"),
    (re.compile(r"\b(?:registry|www|packages?|pypi|static|index)\." r"(?:npmjs|yarnpkg|crates|pypi|docker)\.\w+", re.I),
     "a package registry's host"),
    (re.compile(r"\b(?:deb|security|archive|ports)\." r"(?:debian|ubuntu)\.(?:org|com)\b", re.I), "a package registry's host"),
    (re.compile(r"\b(?:ghcr\.io|docker\.io|quay\.io|proxy\.golang\.org|repo\d*\.maven\.\w+)\b"), "a package registry's host"),
    (re.compile(r'"resolved"\s*:\s*"' r"https?:"), "a package registry's host"),
]


# Calls that wait for all of a device's streams; memory.cpp has the owners of memory, which are made at start-up.
DEVICE_WIDE = re.compile(r"\bcuda(?:DeviceSynchronize|DeviceReset|MemPoolTrimTo|Malloc\w*|Free\w*|HostAlloc|HostRegister|"
                         r"Memcpy|Memset)\s*\(")
DEVICE_WIDE_HOME = {"src/device/cuda/memory.cpp"}


def tracked_files(root):
    listing = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True).stdout
    return [pathlib.PurePosixPath(name) for name in listing.decode().split("\0") if name]


def layer_findings(path, text):
    """Includes of a source file in src/<room>/ that point downwards, or to no room at all."""
    if len(path.parts) < 3 or path.parts[0] != "src" or path.suffix not in {".cpp", ".hpp", ".h", ".cu", ".cuh"}:
        return
    room = path.parts[1]
    if room not in ROOMS:
        yield 1, f"src/{room} is not in the list of rooms ({', '.join(ROOMS)})"
        return
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, target = match.groups()
        if ".." in pathlib.PurePosixPath(target).parts:
            yield number, f'"{target}" climbs out of its folder; write includes relative to src/'
            continue
        first = target.split("/")[0]
        if "/" in target and first in ROOMS:
            if ROOMS.index(first) > ROOMS.index(room):
                yield number, f"src/{room} includes {target}, but {first} is below it in the list of rooms"
        elif quote == '"' and "/" not in target and path.suffix in {".cpp", ".hpp"} and target.endswith((".hpp", ".cuh")):
            yield number, f'"{target}" names no room; write includes relative to src/'


def device_findings(path, text):
    """Device-wide CUDA calls in src/."""
    if path.parts[0] != "src" or str(path) in DEVICE_WIDE_HOME or path.suffix not in {".cpp", ".hpp", ".cu", ".cuh"}:
        return
    for number, line in enumerate(text.splitlines(), 1):
        match = DEVICE_WIDE.search(line)
        if match and "Async" not in match.group(0):
            yield number, f"{match.group(0)}...) waits for the whole device: use a stream, or the owners of memory.hpp"


def portability_findings(text):
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in FORBIDDEN:
            match = pattern.search(line)
            if match:
                yield number, f"refers to {what}: {match.group(0)}"


def check(root):
    findings = []
    for path in tracked_files(root):
        data = (pathlib.Path(root) / path)
        if data.is_symlink() or not data.is_file():
            continue
        raw = data.read_bytes()
        if b"\0" in raw[:8192]:
            continue
        text = raw.decode(errors="replace")
        found = [*layer_findings(path, text), *device_findings(path, text), *portability_findings(text)]
        findings += [f"{path}:{number}: {what}" for number, what in found]
    return findings


def self_test():
    good = {
        "src/r1cs/a.hpp": '#include "math/fr.hpp"\n#include "r1cs/b.hpp"\n#include <vector>\n',
        "src/cli/main.cpp": '#include "filecoin/seal.hpp"\n#include <CLI/CLI.hpp>\n',
        "src/device/cuda/memory.cpp": "cudaMalloc(&p, n);\n",
        "src/device/cuda/ok.cu": "cudaMemcpyAsync(a, b, n, kind, s); cudaFreeAsync(p, s);\n",
        "README.md": "See workers/ and ./shared/ and an archive.\n",
    }
    bad = {
        "src/math/up.cpp": '#include "math/fr.hpp"\n  #  include "r1cs/row.hpp"\n',
        "src/base/low.hpp": "#include <cli/options.hpp>\n",
        "src/groth16/climb.cpp": '#include "../filecoin/seal.hpp"\n',
        "src/nowhere/x.cpp": "int x;\n",
        "src/device/cuda/sync.cu": "check(cudaDeviceSynchronize(), text);\n",
        "src/device/cuda/copy.cpp": "cudaMemcpy(a, b, n, kind);\n",
        "src/device/cuda/make.cpp": "cudaMalloc(&p, n);\n",
        "docs/a.md": "see .." + "/shared/golden\n",
        "scripts/b.sh": "cd /work" + "/main\n",
        "third_party/package-lock.json": '"resolved": "' + 'https://example.org/x.tgz"\n',
        "scripts/c.sh": "curl deb." + "debian.org\n",
    }

    def run(files):
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["git", "init", "-q", root], check=True)
            for name, text in files.items():
                path = pathlib.Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            subprocess.run(["git", "-C", root, "add", "-A"], check=True)
            return check(root)

    assert run(good) == [], run(good)
    found = run(bad)
    missed = [name for name in bad if not any(line.startswith(name + ":") for line in found)]
    assert not missed, f"no finding in {missed}"
    assert "src/math/up.cpp:2:" in "\n".join(found)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        print("check_layers: self-test passed")
        return 0
    if sys.argv[1:]:
        print(f"usage: {sys.argv[0]} [--self-test]", file=sys.stderr)
        return 2
    findings = check(str(root))
    for finding in findings:
        print(finding)
    print(f"check_layers: {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
