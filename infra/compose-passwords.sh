#!/bin/sh
# Writes infra/.env, which compose reads: a password of its own for each engine. An existing file is kept.
set -eu
umask 077
file="$(dirname "$0")/.env"
if [ -e "$file" ]; then
  echo "$file exists, and is kept"
  exit 0
fi
password() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
draft=$(mktemp "$file.XXXXXX")
trap 'rm -f "$draft"' EXIT
for name in KAFKA_PASSWORD ELASTICSEARCH_PASSWORD CLICKHOUSE_PASSWORD REDIS_PASSWORD; do
  echo "$name=$(password)" >>"$draft"
done
# A link fails where another run was faster: its passwords may be in use already.
ln "$draft" "$file" 2>/dev/null || [ -e "$file" ]
echo "$file has a password for each engine: keep it with your backups"
