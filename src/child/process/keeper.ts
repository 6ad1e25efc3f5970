/**
 * The keeper: a small shell process that holds a child's pipes, so that the child outlives the hub.
 *
 *   sh -c KEEPER plexus-keeper RUN LEASE_SECONDS CLI ARGS…
 *
 * Two shells live for each child. The first waits for the child and writes its exit code. The second, `feed`,
 * owns the child's stdin: it blocks on the bell and moves whole message files from RUN/todo into stdin. The hub may write
 * there too, but only after the files in RUN/todo and while this shell has nothing to write.
 *
 * The process that holds the bell's writing end is responsible. A hub holds it as long as it lives and writes `hub`
 * when it comes. When no process holds it, reading gives end of file: then the hub is gone, and a `sleep` of the
 * lease's length is given the writing end. The next end of file means that the sleep is over and no hub came.
 * So the keeper never polls, and while a hub is there it has no process but the two shells.
 *
 * A file that was fed is emptied, which needs no process; empty files are removed many at a time. A child that is gone must
 * not end the feeding shell too, so writing to it fails instead of ending the shell.
 *
 * A logout signals every process of the user. The feeding shell ignores every signal but SIGKILL, and so does the timer that
 * it starts. The first shell waits for its child, which starts without these traps: a trap with a command is not inherited.
 *
 * The will (an interrupt) is fed before every close of stdin, also when the child is reported as gone, because perhaps only
 * the first shell is gone: a CLI whose stdin closes under an open hook runs the tool. After it the keeper listens until the
 * child is gone, because a bell that cannot be opened means that the keeper is dead.
 *
 * It uses only POSIX (dash, bash and busybox are tested), except `<>` on a FIFO, which Linux and macOS support.
 * The child must be in the foreground: with `&` it would inherit SIGINT and SIGQUIT ignored.
 */
export const KEEPER = `
run=$1 lease=$2 timer= word=
shift 2

note() { (umask 077; echo "$2" >"$run/$1.new"); mv "$run/$1.new" "$run/$1"; }

deliver() {
  for file in "$run"/todo/*; do
    if [ -s "$file" ]; then cat "$file" && true >"$file"; else set -- "$@" "$file"; fi
  done
  [ $# -lt 32 ] || rm -f "$@"
}

arm() { exec 9>"$run/bell"; sleep "$lease" >&- 3<&- & timer=$!; exec 9>&-; }

disarm() { [ -z "$timer" ] || { kill -9 "$timer"; wait "$timer"; timer=; }; }

feed() {
  trap '' PIPE
  exec 9<>"$run/bell" 3<"$run/bell"
  arm
  note keeper $$
  while :; do
    deliver
    if read -r word <&3; then
      case $word in
        hub) disarm ;;
        stop | gone) break ;;
      esac
    elif [ -n "$timer" ]; then
      break
    else
      arm
    fi
  done
  disarm
  cat "$run/will"
  exec >&- 3<>"$run/bell"
  while [ "$word" != gone ]; do read -r word <&3; done
} 2>/dev/null

mkfifo -m 600 "$run/bell" "$run/stdin" || exit
trap '' TERM HUP INT
feed >"$run/stdin" &
trap : TERM HUP INT
sh -c '(umask 077; echo $$ >"$0/pid.new"); mv "$0/pid.new" "$0/pid"; exec "$@"' \\
  "$run" "$@" <"$run/stdin" >>"$run/stdout" 2>>"$run/stderr"
note exit $?
echo gone 1<>"$run/bell"
`
