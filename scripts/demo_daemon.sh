#!/usr/bin/env bash
# The daemon from start to stop: demo_daemon.sh PROOFLINE FOLDER
# A demo sector is made in FOLDER (kept: a second run is quick), a daemon started on a Unix socket, the sector's C1
# submitted as a client does, the proof verified, the daemon stopped.
set -euo pipefail
proofline=$(realpath "${1:?usage: demo_daemon.sh PROOFLINE FOLDER}")
folder=${2:?usage: demo_daemon.sh PROOFLINE FOLDER}
mkdir -p "$folder"
folder=$(realpath "$folder")
run=$(mktemp -d)
daemon=
stop() {
  if [[ -n $daemon ]]; then kill "$daemon" 2>/dev/null && wait "$daemon" || true; fi
  rm -rf "$run"
}
trap stop EXIT
export PROOFLINE_ADDRESS=unix://$run/proofline.sock

say() { printf '\n%s\n' "$*"; }

say "1. A sealed sector of 2 KiB, its C1, and parameters of its circuit: $folder"
[[ -e $folder/c1.json && -e $folder/porep-2KiB.params ]] || "$proofline" demo --out "$folder" -q >/dev/null
mkdir "$run/params"
ln -s "$folder/porep-2KiB.params" "$run/params/v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-\
sha256_hasher-032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.params"

say "2. A daemon: $PROOFLINE_ADDRESS; its dashboard's address is in the log (DEMO_HTTP=127.0.0.1:9821 for a port of your choice)"
"$proofline" daemon --listen "$PROOFLINE_ADDRESS" --set "daemon.state_dir=$run/state" --set "srs.param_cache=$run/params" \
  --set srs.circuits=porep-2k --status-listen "${DEMO_HTTP:-127.0.0.1:0}" &
daemon=$!
for _ in $(seq 100); do
  if "$proofline" status >/dev/null 2>&1; then break; fi
  kill -0 "$daemon" || { daemon=; exit 1; }
  sleep 0.1
done

say "3. The sector's C1 is submitted, as Curio's client does"
"$proofline" submit porep "$folder/c1.json" --request-id porep-1000-1 -o "$run/proof"
"$proofline" status

say "4. The same request again gives the kept proof; both verify"
"$proofline" submit porep "$folder/c1.json" --request-id porep-1000-1 -o "$run/again"
cmp "$run/proof" "$run/again"
"$proofline" verify porep "$run/proof" --params "$folder/porep-2KiB.params" --sector "$folder/sector"

say "5. SIGTERM: the daemon drains and stops"
kill "$daemon"
wait "$daemon"
daemon=
