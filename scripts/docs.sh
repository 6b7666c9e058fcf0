#!/usr/bin/env bash
# The reference of the public headers as HTML: docs.sh OUT_FOLDER
set -euo pipefail
out=${1:?usage: docs.sh OUT_FOLDER}
cd "$(dirname "$0")/.."
mkdir -p "$out"
doxygen -q - <<CONFIG
PROJECT_NAME           = Proofline
PROJECT_BRIEF          = "Groth16 proofs for Filecoin sectors"
INPUT                  = README.md docs src
FILE_PATTERNS          = *.hpp *.md
RECURSIVE              = YES
USE_MDFILE_AS_MAINPAGE = README.md
STRIP_FROM_PATH        = src
STRIP_FROM_INC_PATH    = src
OUTPUT_DIRECTORY       = $out
GENERATE_LATEX         = NO
EXTRACT_ALL            = YES
JAVADOC_AUTOBRIEF      = YES
QUIET                  = YES
WARN_IF_UNDOCUMENTED   = NO
WARN_AS_ERROR          = NO
HTML_COLORSTYLE        = LIGHT
CONFIG
echo "docs: $out/html/index.html"
