#!/bin/sh
# Runs a command of the portal with the settings of its systemd unit, as root:
#   sh deploy/portal-command.sh doctor | operator COMMAND | audit verify | migrate
# The unit itself hands over the signing key and the file of the audit trail's hashes, so portal.env alone isn't enough.
set -eu
root=${PORTAL_ROOT:-/opt/portal/current}
settings=${PORTAL_SETTINGS:-/etc/portal}
command=${1:?Name a command: doctor, operator, audit or migrate}
shift
case $command in
  doctor | operator | audit) file=$settings/portal.env ;;
  migrate) file=$settings/migrate.env ;;
  *) echo "There’s no command “$command”: doctor, operator, audit or migrate." >&2; exit 64 ;;
esac
# As with the unit, what portal.env sets counts.
has() { grep --quiet "^$1=" "$file"; }
has AUDIT_HEADS_FILE || export AUDIT_HEADS_FILE=/var/lib/private/portal/audit-heads.jsonl
has TRUELAYER_SIGNING_PRIVATE_KEY || has TRUELAYER_SIGNING_PRIVATE_KEY_FILE || export TRUELAYER_SIGNING_PRIVATE_KEY_FILE="$settings/truelayer.pem"
cd "$root"
exec node --env-file="$file" "apps/server/dist/$command.js" "$@"
