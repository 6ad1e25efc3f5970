import { wordSet } from './harmless-options.ts'

/** Shells, and the shell keywords that run what follows them. */
const SHELLS: ReadonlySet<string> = wordSet(`
sh bash rbash zsh dash ash fish ksh mksh csh tcsh pwsh powershell busybox toybox eval exec command
builtin source . trap alias coproc if then else elif while until for do case select function time
export declare typeset local readonly enable hash set shopt bind complete compgen mapfile readarray`)

/** Programs that run the command given as their arguments. */
const WRAPPERS: ReadonlySet<string> = wordSet(`
env xargs parallel sudo doas su runuser pkexec setpriv nohup nice ionice timeout watch setsid stdbuf
unbuffer script scriptreplay expect flock chroot unshare nsenter bwrap firejail prlimit taskset chrt
numactl setarch capsh strace ltrace perf valgrind gdb lldb entr at batch crontab systemd-run
start-stop-daemon screen tmux dbus-run-session xvfb-run hyperfine caffeinate open xdg-open osascript
launchctl ld.so dtach socat nc ncat netcat run-parts sg linux32 linux64 i386 x86_64 uname26 choom runcon
cgexec chpst gosu su-exec setuidgid softlimit envdir tini dumb-init ssh-agent dbus-launch faketime
fakeroot proot proxychains proxychains4 torsocks torify catchsegv rlwrap cpulimit eatmydata trickle
sandbox-exec nodemon watchexec concurrently cross-env`)

/**
 * Programs that run other programs, or code from their arguments: a caller who may start one of these with any arguments
 * may run anything. Names without a path.
 */
const RUNS_PROGRAMS: ReadonlySet<string> = new Set([
  ...SHELLS,
  ...WRAPPERS,
  // Interpreters, and programs with a scripting language that can start others.
  ...wordSet(`
awk gawk mawk nawk sed gsed ed ex vi vim nvim view emacs nano dc m4 perl python pypy ipython node
nodejs deno bun tsx ts-node ruby irb php lua luajit tclsh wish guile racket scheme clisp sbcl julia
octave r rscript java jshell groovy scala kotlin clojure erl elixir iex ghci runghc ocaml swift
dotnet sqlite3 psql mysql mongosh redis-cli`),
  // Programs with an option for what to run, and those that fetch a program and start it.
  ...wordSet(`
find fd ssh scp sftp rsync tar bsdtar zip less more man cmake ninja npx pnpx bunx uvx pipx nix
nix-shell ansible vagrant direnv mise asdf`),
])

/** Programs with subcommands, and those subcommands that run their arguments, or whatever a repository or image says. */
const UNSAFE_SUBCOMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['git', ['bisect', 'submodule', 'rebase', 'filter-branch', 'config', 'difftool', 'mergetool', 'hook']],
  ['npm', ['exec', 'x', 'init', 'create', 'explore', 'config', 'set']],
  ['pnpm', ['exec', 'dlx', 'create', 'config']],
  ['yarn', ['exec', 'dlx', 'create', 'node', 'config']],
  ['cargo', ['run', 'install']],
  ['go', ['run', 'generate', 'tool', 'vet']],
  ['docker', ['run', 'exec', 'compose', 'build', 'buildx', 'create', 'cp']],
  ['podman', ['run', 'exec', 'compose', 'build', 'create', 'cp', 'unshare']],
  ['kubectl', ['run', 'exec', 'debug', 'plugin', 'config', 'edit']],
  ['helm', ['plugin', 'install', 'upgrade']],
  ['gh', ['alias', 'extension', 'api', 'codespace', 'config']],
  ['pip', ['config']],
  ['pip3', ['config']],
  ['uv', ['run', 'tool', 'x']],
  ['poetry', ['run', 'config']],
  ['bundle', ['exec', 'config']],
  ['ip', ['netns', 'vrf']],
  ['make', []],
  ['just', []],
])

/**
 * The start of a simple command after which a rule may leave the rest open: its program, with the subcommand if it has
 * one. Undefined if the rest could be any other command. The words are as written, before the shell reads them.
 */
export function commandStart([program = '', second = '']: readonly string[]): string | undefined {
  const name = nameOf(program)
  if (name === undefined || runsPrograms(name)) return undefined
  const unsafe = UNSAFE_SUBCOMMANDS.get(name)
  if (!unsafe) return program
  return PLAIN_WORD.test(second) && !unsafe.includes(second) ? `${program} ${second}` : undefined
}

/** Where the arguments of a subcommand begin that may be a command of their own; undefined if it runs none. */
export function ownCommandFrom(name: string, words: readonly (string | undefined)[]): number | undefined {
  const unsafe = UNSAFE_SUBCOMMANDS.get(name)
  if (!unsafe) return undefined
  const [, second] = words
  // Mostly the subcommand comes first.
  if (second !== undefined && !second.startsWith('-')) return unsafe.includes(second) ? 2 : undefined
  const found = words.findIndex(
    (word, index) => index > 0 && !word?.startsWith('-') && !GIT_OPTIONS.has(words[index - 1] ?? ''),
  )
  return found > 0 && unsafe.includes(words[found] ?? '') ? found + 1 : undefined
}

/** Those of git that are followed by a value. */
const GIT_OPTIONS: ReadonlySet<string> = wordSet('-C -c --git-dir --work-tree --namespace --config-env')

/** Whether it runs its arguments as a command, or its input as a script. */
export function runsItsArguments(program: string): boolean {
  const name = nameOf(program) ?? ''
  return isAmong(SHELLS, name) || isAmong(WRAPPERS, name) || isLoader(name)
}

/** The program that starts others: `ld-linux-x86-64.so.2 /bin/ls` is `ls`. */
function isLoader(name: string): boolean {
  return name.startsWith('ld-') && LOADER.test(name)
}

const LOADER = /^ld-(?:linux|musl)[\w.-]*\.so[\d.]*$/

/** Whether it runs what it reads as a script. */
export function readsScripts(program: string): boolean {
  const name = nameOf(program) ?? ''
  return isAmong(SHELLS, name) || name === 'xargs' || name === 'parallel'
}

/** Of a name as `nameOf` returns it. */
export function runsPrograms(name: string): boolean {
  return isAmong(RUNS_PROGRAMS, name) || isLoader(name)
}

/** With or without a version: `python3.12` counts as python, `zsh-5.9` as zsh; `clang++-17` is not in the list. */
function isAmong(names: ReadonlySet<string>, name: string): boolean {
  if (names.has(name)) return true
  const last = name.charCodeAt(name.length - 1)
  return last <= NINE && names.has(name.replace(/[\d.-]+$/, ''))
}

/** Digits, the dot and the hyphen come before it in ASCII, and letters after it. */
const NINE = '9'.charCodeAt(0)

/** Without its path, in lower case: on some file systems `SH` is `sh`. Undefined if it is more than a plain name or path. */
export function nameOf(program: string): string | undefined {
  if (!PLAIN_PROGRAM.test(program)) return undefined
  const slash = program.lastIndexOf('/')
  return (slash < 0 ? program : program.slice(slash + 1)).toLowerCase() || undefined
}

/** Nothing special to a shell: no assignment, quote, wildcard or expansion. */
const PLAIN_PROGRAM = /^[\w./@+-]+$/
const PLAIN_WORD = /^\w[\w:.-]*$/
