import { fix, note, ok, type Outcome } from './finding.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Variables of this shell that a `claude` of one's own would obey; sessions of a hub run without them. */
const SHELL_ONLY: Readonly<Record<string, string>> = {
  CLAUDE_CODE_SIMPLE: 'switches off hooks',
  CLAUDE_CODE_SKIP_PROMPT_HISTORY: 'keeps no transcript, so that nothing can be resumed',
}

/** `problem` is the sentence about a variable that no hub would take; `inSession` is the session that this shell is of. */
export function judgeVariables(
  env: Env,
  problem: string | undefined,
  inSession: string | undefined,
): Outcome[] {
  const found = [
    ...(problem === undefined ? [] : [fix(problem)]),
    ...(inSession === undefined
      ? []
      : [note('This runs inside a session of Plexus: a hub is neither started nor used from here.')]),
    ...Object.entries(SHELL_ONLY).flatMap(([name, what]) =>
      env[name]
        ? [note(`${name} is set and ${what} in a claude of your own. Sessions of a hub run without it.`)]
        : [],
    ),
  ]
  return found.length > 0 ? found : [ok('No variable gets in the way.')]
}
