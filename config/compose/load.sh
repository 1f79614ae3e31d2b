#!/bin/sh
# Changes the shop's rows for ever, with a pause between two transactions; goes on when the database comes back.
trap 'exit 0' TERM INT
while :; do
  psql -X -q -v ON_ERROR_STOP=1 -f /shop/load.sql
  # In the background, so that a signal is heard at once.
  sleep "${LOAD_PAUSE_SECONDS:-1}" &
  wait $!
done
