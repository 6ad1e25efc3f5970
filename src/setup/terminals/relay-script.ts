import { join } from 'node:path'

/** The shell that runs the relay: POSIX systems have one there. */
export const SHELL = '/bin/sh'

export const RELAY_NAME = 'terminal-relay.sh'

/**
 * It lies in the home folder and not in the package: npm may move a package with each upgrade, and every terminal that runs
 * has read its path already. The socket that it speaks to lies there too, so either both are there or neither is.
 */
export function relayPath(home: string): string {
  return join(home, RELAY_NAME)
}

/**
 * What Claude Code starts beside its dialog, as `sh RELAY SOCKET CURL` with the question on stdin. It decides nothing: it hands
 * the question over, holds the request open, and prints what the hub answers. No output means no opinion, so that whatever
 * fails here leaves the dialog as it is.
 *
 * A trusted project may set any variable for it, so that none is used: socket and curl are arguments, `-q` leaves curl's own
 * settings out, and no proxy is asked. The question is never an argument: those can be read by others, and have a limit.
 *
 * Where no hub has taken the question (a socket that a killed hub has left) it gives up after some seconds. Where one has, it
 * asks again under the same id until a hub answers or the CLI is gone.
 */
export const RELAY_SCRIPT = `#!/bin/sh
# Made by plexus terminals on; plexus terminals off removes it.
socket=$1 curl=$2 cli=$PPID
exec 2>/dev/null
[ -S "$socket" ] || exit 0
PATH=/usr/bin:/bin:\${curl%/*}
export PATH
unset LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH
ask=$$-$(date +%s)
question=$(cat)
line='
'
taken=no wait=0
while kill -0 "$cli"; do
  answer=$(printf %s "$question" | "$curl" -q -s --noproxy '*' --unix-socket "$socket" \\
    -H 'Content-Type: application/json' -H 'Expect:' -H "X-Plexus-Cli-Pid: $cli" -H "X-Plexus-Ask: $ask" \\
    --data-binary @- -w '\\n%{http_code}' http://localhost/terminal/ask)
  case $?:\${answer##*"$line"} in
    0:200) printf %s "\${answer%"$line"*}"; exit 0 ;;
    0:4*) exit 0 ;;
    7:*) [ $taken = yes ] || [ $wait -lt 3 ] || exit 0 ;;
    *) taken=yes ;;
  esac
  [ $wait -ge 5 ] || wait=$((wait + 1))
  sleep $wait
done
`
