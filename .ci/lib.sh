# shellcheck shell=bash
# Shared by .ci/run and .ci/nightly, which source it from the root of the checkout.
export CI=true

dataset=../shared/data/locomo-dev.json
engines=../shared/engines/engines
containers=../shared/engines/containers

# True where 10 GiB fit into memory beside what runs there.
is_roomy() {
  [ -w /dev/shm ] && [ "$(df -k --output=avail /dev/shm | tail -n 1)" -gt 10485760 ] &&
    [ "$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)" -gt 16777216 ]
}

# For everything that the tests write, including their own engines' data if a test dies before it stops them. In memory
# if it fits: engines write each new index and topic to the disk, and the suites would wait for it half of their time.
scratch=$(if is_roomy; then mktemp -d -p /dev/shm; else mktemp -d; fi)
chmod 755 "$scratch" # Elasticsearch runs as another user
results=()
failed_steps=()
engines_started=
docker_started=
modes=

cleanup() {
  trap - EXIT
  trap '' INT TERM # a second Ctrl-C must not interrupt the cleanup
  [ -z "$modes" ] || kill "$modes" 2>/dev/null || true
  for data in "$scratch"/{,tt-*/}turnstone-engines-*; do
    [ ! -d "$data" ] || [ ! -x "$engines" ] || ENGINES_DATA=$data "$engines" down || true
  done
  [ -z "$engines_started" ] || "$engines" down --only "$engines_started" || true
  if [ -n "${TURNSTONE_TEST_RUN:-}" ]; then
    docker ps -aq --filter "label=turnstone.test-run=$TURNSTONE_TEST_RUN" 2>/dev/null | xargs -r docker rm -fv >/dev/null || true
  fi
  [ -z "$docker_started" ] || "$containers" down || true
  rm -rf "$scratch"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() {
  printf '\n== %s\n' "$*"
  "$@" || failed_steps+=("$*")
}

# counted NAME command...: the command runs vitest last, which writes its results to a file that is counted at the end.
counted() {
  local file=$scratch/$1.json
  shift
  results+=("$file")
  TMPDIR=$scratch "$@" --reporter=default --reporter=json --outputFile.json="$file"
}

# Exports the engines' addresses. Engines that ran before keep running afterwards; where none did, the new ones keep
# their data with everything else that the tests write.
engines_up() {
  local status exports all=clickhouse,elasticsearch,kafka,redis
  status=$("$engines" status 2>/dev/null) || true
  # Kafka counts as running if any of its nodes runs.
  engines_started=$(comm -23 <(tr , '\n' <<<"$all") \
    <(awk '$NF != "down" { print $1 }' <<<"$status" | sort -u) | paste -sd, -)
  if [ "$engines_started" = "$all" ]; then
    mkdir -p "$scratch/engines"
    export ENGINES_DATA=$scratch/engines
  fi
  exports=$("$engines" up) || return 1
  eval "$exports"
  TURNSTONE_TEST_ENGINES=$(readlink -f "$engines")
  export TURNSTONE_TEST_ENGINES
}

# Both evaluations side by side, since each leaves the second core idle half of the time.
evaluate() {
  local status=0
  npm run evaluate:modes -- "$dataset" >"$scratch/modes" 2>&1 &
  modes=$!
  npm run evaluate -- "$dataset" || status=1
  wait "$modes" || status=1
  modes=
  cat "$scratch/modes"
  return "$status"
}

# Installs missing Debian packages: the browser for the console's tests, what creates the Python client's environments, and
# the compiler for errors of the disk (test/support/files/failing-disk.c).
outside_tools() {
  local missing=()
  command -v chromium >/dev/null || missing+=(chromium)
  python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3 python3-venv)
  command -v cc >/dev/null || missing+=(gcc libc6-dev)
  [ ${#missing[@]} -eq 0 ] || { apt-get update -q && apt-get install -qy --no-install-recommends "${missing[@]}"; }
}

# Prints the tests that failed, the steps that failed and, last, the tests' count; fails unless every step succeeded.
report() {
  local failed counted
  # Only the end of a long output may be kept: it must say what failed.
  counted=$(node .ci/count.cjs "${results[@]}")
  printf '\n'
  head -n -1 <<<"$counted"
  for failed in ${failed_steps[@]+"${failed_steps[@]}"}; do
    printf 'failed: %s\n' "$failed"
  done
  cleanup
  tail -n 1 <<<"$counted"
  [ ${#failed_steps[@]} -eq 0 ]
}
