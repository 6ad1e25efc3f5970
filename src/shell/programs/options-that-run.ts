/**
 * Options by which a program that runs no others runs one after all, takes settings that can name one, or writes a file that its
 * operands do not name. With `!` its value is a command; after a colon are the subcommands that have it, if not all do. After `=` are letters
 * with a value, which may follow them in the same word.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  git: `=eABCmSGLU -O!:grep -u!:clone,fetch-pack,ls-remote,archive -x!:rebase,difftool -c:clone -o:archive,format-patch
    --open-files-in-pager --upload-pack --receive-pack --exec --extcmd --config --config-env --exec-path --template
    --output --output-directory --ext-diff --textconv --remote:archive --smtp-server --httpd`,
  sort: '=ktTS -o --output --compress-program',
  shuf: '-o --output',
  split: '--filter',
  iconv: '-o --output',
  tree: '-o',
  rg: '--pre --hostname-bin',
  make: '=jlWo -E! -f -C -I --eval --file --makefile --directory --include-dir',
  just: '-c! -f -d --command --justfile --working-directory --set --shell-arg',
  npm: '-c! -C --call --prefix --script-shell --userconfig --globalconfig --node-options --git',
  pnpm: '-c! -C --dir --script-shell --shell-mode --config --node-options',
  yarn: '--cwd --script-shell --use-yarnrc',
  cargo: '-s! -x! -C -Z --config --manifest-path',
  go: '--C --exec --toolexec --vettool --modfile --overlay --ldflags --gcflags --o',
  hg: '-e! -c! --config --ssh --remotecmd --tool',
  svn: '--config-option --config-dir',
  cvs: '-e!',
  tcpdump: '-z! -w',
  fly: '-C!',
  gcc: '--B --wrapper --fplugin --specs',
  curl: '=XHudAbeFmTUxrtwyzECQYZ -o -O -K -D -c -J --output --output-dir --config --dump-header --cookie-jar --trace --stderr --libcurl',
  wget: '=tTUQlADRIXBiw -o -O -P -a -e --output-file --output-document --append-output --directory-prefix --execute --config',
  apt: '-o -c --option --config-file',
  kubectl: '--kubeconfig',
  helm: '--kubeconfig --post-renderer',
  mvn: '-D -f -s --define --file --settings',
  bazel: '--run_under',
  sshfs: '-o -F',
  bat: '--config-file',
}
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gsort: 'sort',
    gshuf: 'shuf',
    gsplit: 'split',
    gmake: 'make',
    flyctl: 'fly',
    'apt-get': 'apt',
    oc: 'kubectl',
    cc: 'gcc',
    'g++': 'gcc',
    clang: 'gcc',
    'clang++': 'gcc',
    ripgrep: 'rg',
  }),
)

/** What is known of the options of a program. */
export interface KnownOptions {
  /** Those of one letter, by it, and the others, by their name without hyphens. */
  readonly byLetter: ReadonlyMap<string, RunningOption>
  readonly byName: ReadonlyMap<string, RunningOption>
  readonly valueLetters: string
}

/** An option, and the subcommands that have it; all of them if there is no list. */
export interface RunningOption {
  /** As a person writes it. */
  readonly name: string
  /** Its value is a command. */
  readonly isCommand: boolean
  readonly of: ReadonlySet<string> | undefined
}

const RUNNING: ReadonlyMap<string, KnownOptions> = new Map(
  Object.entries(OPTIONS).map(([program, text]) => {
    const words = text.split(/\s+/)
    const options = words.filter((word) => word.startsWith('-')).map(optionOf)
    return [
      program,
      {
        byLetter: new Map(options.filter(isLetter).map((one) => [one.name.slice(1), one])),
        byName: new Map(options.filter((one) => !isLetter(one)).map((one) => [one.name.slice(2), one])),
        valueLetters: words.find((word) => word.startsWith('='))?.slice(1) ?? '',
      },
    ]
  }),
)

function isLetter({ name }: RunningOption): boolean {
  return name.length === 2
}

function optionOf(text: string): RunningOption {
  const [name = '', of] = text.split(':')
  return {
    name: name.replace('!', ''),
    isCommand: name.endsWith('!'),
    of: of === undefined ? undefined : new Set(of.split(',')),
  }
}

export function runningOptions(program: string): KnownOptions | undefined {
  return RUNNING.get(ALIASES.get(program) ?? program)
}

/** Options of one letter whose value is a command, by program: their letters. */
export const COMMAND_LETTERS: ReadonlyMap<string, string> = new Map(
  [...Object.keys(OPTIONS), ...ALIASES.keys()].flatMap((program) => {
    const options = runningOptions(program)?.byLetter ?? []
    const letters = Array.from(options, ([letter, { isCommand }]) => (isCommand ? letter : ''))
      .join('')
      .split('')
    return letters.length === 0 ? [] : [[program, letters.join('')] as const]
  }),
)
