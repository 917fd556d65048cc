#!/bin/sh
# `npm start`. V8's space for young objects, in MB, by database engine (decision 20): the embedded database runs in the same process, whose
# memory stays below 400 MB; with PostgreSQL, more space serves a fifth more requests.
if [ -n "$DATABASE_URL" ]; then young=16; else young=4; fi
exec node --max-semi-space-size=$young --heap-growing-percent=15 apps/server/dist/main.js
