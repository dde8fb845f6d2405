# shellcheck shell=bash
# Shared by .ci/run and .ci/nightly, which source it from the root of the checkout.
export CI=true

dataset=../shared/data/locomo-dev.json
engines=../shared/engines/engines
containers=../shared/engines/containers

# For everything that the tests write, including their own engines' data if a test dies before it stops them.
scratch=$(mktemp -d)
chmod 755 "$scratch" # Elasticsearch runs as another user
results=()
failed_steps=()
engines_started=
docker_started=

cleanup() {
  trap - EXIT
  trap '' INT TERM # a second Ctrl-C must not interrupt the cleanup
  for data in "$scratch"/turnstone-engines-*; do
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

# Exports the engines' addresses. Engines that ran before keep running afterwards.
engines_up() {
  local status exports
  status=$("$engines" status 2>/dev/null) || true
  # Kafka counts as running if any of its nodes runs.
  engines_started=$(comm -23 <(printf '%s\n' clickhouse elasticsearch kafka redis) \
    <(awk '$NF != "down" { print $1 }' <<<"$status" | sort -u) | paste -sd, -)
  exports=$("$engines" up) || return 1
  eval "$exports"
  TURNSTONE_TEST_ENGINES=$(readlink -f "$engines")
  export TURNSTONE_TEST_ENGINES
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
