/** Flags whose values only describe how a child runs: no text that a person or a model wrote, and no secret. */
const LOGGED_FLAGS: ReadonlySet<string> = new Set([
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

/** A command line as it may be logged: of every other flag only the name. Pure. */
export function loggableArgs(args: readonly string[]): string[] {
  return args.map((arg) => {
    const [name = '', value] = [arg.split('=', 1)[0], arg.includes('=') ? arg : undefined]
    if (!name.startsWith('-')) return '…'
    return value === undefined || LOGGED_FLAGS.has(name) ? arg : `${name}=…`
  })
}
