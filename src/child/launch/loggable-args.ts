/** Flags whose values say how a child runs, and nothing of what anybody wrote or keeps secret. */
const SHOWN: ReadonlySet<string> = new Set([
  '--add-dir',
  '--effort',
  '--fallback-model',
  '--input-format',
  '--max-budget-usd',
  '--max-turns',
  '--model',
  '--output-format',
  '--permission-mode',
  '--permission-prompt-tool',
  '--resume-session-at',
  '--session-id',
  '--setting-sources',
  '--worktree',
])

/** A command line as a log may have it: of every other flag the name alone. Pure. */
export function shownArgs(args: readonly string[]): string[] {
  return args.map((arg) => {
    const [name = '', value] = [arg.split('=', 1)[0], arg.includes('=') ? arg : undefined]
    if (!name.startsWith('-')) return '…'
    return value === undefined || SHOWN.has(name) ? arg : `${name}=…`
  })
}
