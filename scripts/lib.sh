# Shared by the scripts of this folder; source it. Needs bash and a Debian base system, nothing else.
set -euo pipefail
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${RESIDUE_JOBS:-$(nproc)}

say() { printf '%s\n' "$*" >&2; }
fail() { # CODE MESSAGE HINT
  say "$(basename "$0"): $2"
  say "  $3"
  exit "$1"
}

# quietly LOG COMMAND...: runs it with its output in LOG, which is shown only if the command fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" > "$log" 2>&1 && return
  local code=$?
  tail -n 60 "$log" >&2
  fail "$code" "failed: $*" "the whole output is in $log"
}

# configure PRESET: only prints if it fails. A folder that was configured before costs a fraction of a second and keeps
# its own way. Of a new one the first build counts: sources of a room are compiled together.
configure() {
  local first=()
  if [[ ! -e $root/build/$1/CMakeCache.txt ]]; then first=(-DRESIDUE_UNITY=ON); fi
  quietly "$root/build/$1.configure.log" env -C "$root" cmake --preset "$1" "${first[@]}" "${@:2}"
}

# build_targets PRESET JOBS TARGET...: one changing line on a terminal, a line now and then elsewhere.
build_targets() {
  local preset=$1 n=$2 log=$root/build/$1.build.log line shown=0 code=0
  shift 2
  : > "$log"
  # Ninja prints "[12/345] ..." per step; only the counter is of interest.
  NINJA_STATUS='[%f/%t] ' cmake --build "$root/build/$preset" -j "$n" --target "$@" 2>&1 | tee "$log" | {
    while IFS= read -r line; do
      [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
      if [[ -t 2 ]]; then
        printf '\rbuilding %s: %s of %s' "$preset" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
        shown=1
      elif ((SECONDS - shown >= 20)); then
        say "building $preset: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
        shown=$SECONDS
      fi
    done
    if [[ -t 2 && $shown == 1 ]]; then printf '\n' >&2; fi
  } || code=$?
  ((code == 0)) && return
  grep -v '^\[[0-9]*/[0-9]*\] \(Building\|Linking\)' "$log" | head -n 80 >&2 || true
  fail "$code" "the build failed" "the whole output is in $log"
}
