import stringWidth from 'string-width'
import { type Env, NOT_FOUND, runProgram } from './run-program.ts'

/** What a pager needs to know of the output. */
interface Paged {
  readonly isTerminal: boolean
  readonly mayPrompt: boolean
  readonly isJson: boolean
  readonly rows: number
  readonly columns: number
  readonly line: (text: string) => void
}

/** Prints lines; on a terminal that cannot show them at once, in the pager of the person. */
export async function pageLines(lines: readonly string[], out: Paged, env: Env): Promise<void> {
  const pager = out.isTerminal && out.mayPrompt && !out.isJson && !fits(lines, out) ? pagerOf(env) : undefined
  const exitCode = pager && (await runProgram(pager, [], withLess(env), lines.join('\n') + '\n'))
  // One that is not there has shown nothing.
  if (exitCode === undefined || exitCode === NOT_FOUND) for (const line of lines) out.line(line)
}

function fits(lines: readonly string[], { rows, columns }: Paged): boolean {
  let used = 0
  for (const line of lines) {
    used += Math.max(1, Math.ceil(stringWidth(line) / columns))
    if (used >= rows) return false
  }
  return true
}

/** An empty variable means no pager. */
function pagerOf({ PLEXUS_PAGER, PAGER, TERM }: Env): string | undefined {
  const pager = PLEXUS_PAGER ?? PAGER ?? 'less'
  return pager === '' || pager === 'cat' || TERM === 'dumb' ? undefined : pager
}

/** Less ends by itself if all is shown, keeps our colours, and leaves the text on the screen. */
function withLess(env: Env): Env {
  return { LESS: 'FRX', ...env }
}
