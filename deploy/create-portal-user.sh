#!/bin/sh
# Run once by PostgreSQL's image, when it creates the database: the portals' user, which has no rights of its own (docs/operations.md).
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$(cat /run/secrets/database-portal-password)" <<'SQL'
create role portal_app login noinherit password :'password';
SQL
