/** How many values a flag of the CLI takes: `many` takes all words up to the next flag. */
export type FlagKind = 'none' | 'one' | 'optional' | 'many'

/**
 * The flags of `claude -p` that plexus run passes on: with each of them our hook and our questions were seen to stay in force,
 * on every version that was tried. A flag that is not here is refused, because a newer version may have any.
 */
export const PASSED_ON: ReadonlyMap<string, FlagKind> = new Map([
  ['print', 'none'],
  ['verbose', 'none'],
  ['include-partial-messages', 'none'],
  ['include-hook-events', 'none'],
  ['continue', 'none'],
  ['fork-session', 'none'],
  ['no-session-persistence', 'none'],
  ['strict-mcp-config', 'none'],
  ['disable-slash-commands', 'none'],
  ['exclude-dynamic-system-prompt-sections', 'none'],
  ['output-format', 'one'],
  ['input-format', 'one'],
  ['model', 'one'],
  ['fallback-model', 'one'],
  ['effort', 'one'],
  ['max-turns', 'one'],
  ['max-budget-usd', 'one'],
  ['json-schema', 'one'],
  ['system-prompt', 'one'],
  ['system-prompt-file', 'one'],
  ['append-system-prompt', 'one'],
  ['append-system-prompt-file', 'one'],
  ['session-id', 'one'],
  ['name', 'one'],
  ['permission-mode', 'one'],
  ['debug-file', 'one'],
  ['debug', 'optional'],
  ['resume', 'optional'],
  ['allowedTools', 'many'],
  ['disallowedTools', 'many'],
  ['tools', 'many'],
  ['add-dir', 'many'],
  ['betas', 'many'],
  ['mcp-config', 'many'],
])

const SHORT: ReadonlyMap<string, string> = new Map([
  ['p', 'print'],
  ['c', 'continue'],
  ['r', 'resume'],
  ['d', 'debug'],
  ['n', 'name'],
  ['w', 'worktree'],
  ['h', 'help'],
  ['v', 'version'],
])

const OTHER_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['allowed-tools', 'allowedTools'],
  ['disallowed-tools', 'disallowedTools'],
])

/** The name of a flag in the table above; a flag of one letter has the name of the long one. */
export function nameOfFlag(written: string): string {
  return OTHER_SPELLINGS.get(written) ?? SHORT.get(written) ?? written
}

const NO_QUESTIONS = 'it would run things without a question'
const ANSWERS = 'Plexus itself decides who answers the questions'
const SETTINGS = 'settings could switch the questions off; put what you need into your user settings'
const NO_HOOKS = 'it switches hooks off, and ours with them'
const BRINGS = 'it can bring hooks and modes of its own that answer in your place'
const ELSEWHERE = 'it starts a claude that Plexus does not see'

/** Why a flag is not passed on, as a part of a sentence. */
export function reasonAgainst(name: string): string {
  return REASONS.get(name) ?? 'it is not known whether the questions stay in force with it'
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['dangerously-skip-permissions', NO_QUESTIONS],
  ['allow-dangerously-skip-permissions', NO_QUESTIONS],
  ['permission-prompt-tool', ANSWERS],
  ['permission-prompts', ANSWERS],
  ['settings', SETTINGS],
  ['setting-sources', SETTINGS],
  ['bare', NO_HOOKS],
  ['safe-mode', NO_HOOKS],
  ['agent', BRINGS],
  ['agents', BRINGS],
  ['plugin-dir', BRINGS],
  ['plugin-url', BRINGS],
  ['bg', ELSEWHERE],
  ['background', ELSEWHERE],
  ['tmux', ELSEWHERE],
  ['worktree', ELSEWHERE],
  ['remote-control', ELSEWHERE],
  ['teleport', ELSEWHERE],
  ['cloud', ELSEWHERE],
  ['desktop', ELSEWHERE],
])
