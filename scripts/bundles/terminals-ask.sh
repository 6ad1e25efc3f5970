#!/bin/sh
# Asks the hub of the default home folder of this user. Where that is, the list of users says: a trusted project may set HOME.
PATH=/usr/bin:/bin
export PATH
user=$(id -un 2>/dev/null)
case $user in '' | -* | *[!A-Za-z0-9._-]*) exit 0 ;; esac
eval "home=~$user"
state=$home/.local/state/plexus
[ ! -d /System/Library ] || state="$home/Library/Application Support/plexus"
set -- "$state/hub.sock" /usr/bin/curl
. "${0%/*}/terminal-relay.sh"
