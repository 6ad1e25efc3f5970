import type { HarmlessUse } from './harmless-options.ts'
import { wordSet } from '../programs/word-set.ts'

const SHOW_OPTIONS = wordSet(`
abbrev-commit all author branches cached color compact-summary date decorate
diff-filter dirstat exit-code first-parent follow format graph grep histogram
ignore-all-space ignore-blank-lines ignore-space-change max-count merge-base
merges minimal name-only name-status no-color no-decorate no-ext-diff no-merges
no-patch no-renames no-textconv numstat oneline patch patience pretty quiet raw
relative reverse shortstat since skip staged stat summary tags topo-order
unified until after before word-diff full-index find-renames`)

/**
 * Git commands that only read their own repository. Options that name a file to read or write, run a program or lead to
 * another repository are not listed, and neither is anything that contacts a remote repository.
 */
const READ_COMMANDS: ReadonlyMap<string, HarmlessUse> = new Map<string, HarmlessUse>([
  [
    'status',
    {
      short: 'sbuvz',
      long: wordSet('short branch porcelain untracked-files ignored long ahead-behind show-stash'),
    },
  ],
  ['log', { short: 'pnsuLwSGcmz0', long: SHOW_OPTIONS }],
  ['diff', { short: 'psuwbzMCDRSGUa0', long: SHOW_OPTIONS }],
  ['show', { short: 'pnsuwbzMCSGU0', long: SHOW_OPTIONS }],
  [
    'rev-parse',
    {
      long: wordSet(`
show-toplevel abbrev-ref short git-dir is-inside-work-tree show-prefix verify
symbolic-full-name show-cdup git-common-dir`),
    },
  ],
  [
    'rev-list',
    {
      short: 'n0',
      long: wordSet('count all max-count left-right no-merges merges since until first-parent'),
    },
  ],
  [
    'ls-files',
    {
      short: 'cdmoskutvz',
      long: wordSet('cached others modified deleted exclude-standard stage full-name error-unmatch'),
    },
  ],
  ['ls-tree', { short: 'drtlz', long: wordSet('name-only full-tree full-name long') }],
  ['blame', { short: 'bcelnpstwLMC0', long: wordSet('date line-porcelain porcelain show-email') }],
  ['shortlog', { short: 'sneca', long: wordSet('summary numbered email all since until no-merges') }],
  ['describe', { long: wordSet('tags all always dirty abbrev long exact-match match') }],
  [
    'branch',
    { short: 'avr', long: wordSet('all remotes list verbose show-current no-color'), maxOperands: 0 },
  ],
  ['tag', { short: 'ln', long: wordSet('list'), maxOperands: 0 }],
  ['remote', { short: 'v', long: wordSet('verbose'), maxOperands: 0 }],
  [
    'grep',
    {
      short: 'aABcCEeFGhHiIlLnoPpqvwW0',
      long: wordSet(`
line-number ignore-case files-with-matches count word-regexp fixed-strings
extended-regexp heading break show-function cached untracked`),
      textFirst: { unless: ['-e'] },
    },
  ],
  ['merge-base', { long: wordSet('all is-ancestor fork-point') }],
  ['name-rev', { long: wordSet('name-only tags always') }],
  ['count-objects', { short: 'vH', maxOperands: 0 }],
  ['check-ignore', { short: 'vqn' }],
])

/** The harmless use of a git command, and the index of its first argument; undefined if it is not known to be harmless. Pure. */
export function harmlessGitUse(
  args: readonly { readonly text: string }[],
): { harmless: HarmlessUse; rest: number } | undefined {
  const rest = args[0]?.text === '--no-pager' ? 2 : 1
  const name = args[rest - 1]?.text ?? ''
  if ((name === 'stash' || name === 'worktree') && args[rest]?.text === 'list')
    return { harmless: { maxOperands: 0 }, rest: rest + 1 }
  const harmless = READ_COMMANDS.get(name)
  return harmless && { harmless, rest }
}

/** Sections of a repository's configuration that run no program, and such settings of `core`. */
const SAFE_SECTIONS: ReadonlySet<string> = wordSet(`
remote branch user pull push init fetch color advice commit merge rebase status
extensions gc index lfs`)
const SAFE_CORE_SETTINGS: ReadonlySet<string> = wordSet(`
repositoryformatversion filemode bare logallrefupdates ignorecase
precomposeunicode symlinks autocrlf eol safecrlf untrackedcache quotepath abbrev
compression excludesfile commitgraph multipackindex`)

/** Whether git runs no program while it reads with this configuration: filters, monitors and drivers would run. Pure. */
export function configRunsNothing(text: string): boolean {
  let section = ''
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    if (line.endsWith('\\')) return false
    const header = /^\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\](.*)/.exec(line)
    if (header) {
      section = header[1]?.toLowerCase() ?? ''
      if (header[2] !== '') return false // a setting on the same line
      continue
    }
    const key = /^[A-Za-z][\w-]*/.exec(line)?.[0].toLowerCase() ?? ''
    if (
      section === 'core'
        ? !SAFE_CORE_SETTINGS.has(key)
        : !SAFE_SECTIONS.has(section) || isUnsafeSetting(section, key)
    )
      return false
  }
  return true
}

/** Settings that name a program, or a file with more settings, in sections that are otherwise safe. */
function isUnsafeSetting(section: string, key: string): boolean {
  // With a promisor git fetches what is missing while it reads.
  if (section === 'remote') return ['uploadpack', 'receivepack', 'vcs', 'promisor'].includes(key)
  if (section === 'extensions') return key === 'partialclone'
  if (section === 'color') return key === 'pager'
  if (section === 'merge' || section === 'commit')
    return ['tool', 'driver', 'template', 'gpgsign'].includes(key)
  return section === 'lfs' && key !== 'repositoryformatversion'
}
