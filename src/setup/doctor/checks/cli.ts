import { isAtLeast, isOlder } from '../../../text/version-order.ts'
import { fix, note, ok, type Outcome } from './finding.ts'

export type CliFacts =
  | { readonly kind: 'found'; readonly path: string; readonly version: string }
  | {
      readonly kind: 'missing'
      /** Why, and what to do. */
      readonly sentence: string
      /** The program itself, where only its launcher is broken. */
      readonly program?: string | undefined
    }

/** The versions that the tests run on. */
export const TRIED_CLI = ['2.1.197', '2.1.325'] as const

export function judgeCli(facts: CliFacts): Outcome[] {
  if (facts.kind === 'missing') {
    if (facts.program === undefined) return [fix(facts.sentence)]
    return [
      fix(
        `The claude in PATH is a launcher without its program, because npm ran no install script. Set CLAUDE_CODE_PATH=${facts.program}`,
      ),
    ]
  }
  const { path, version } = facts
  if (TRIED_CLI.some((tried) => tried === version)) return [ok(`Claude Code ${version} (tried): ${path}`)]
  const [oldest, newest] = TRIED_CLI
  if (isAtLeast(version, oldest) && isOlder(version, newest))
    return [ok(`Claude Code ${version}, between the tried ${oldest} and ${newest}: ${path}`)]
  return [
    note(
      `Claude Code ${version} is newer than ${newest}, the newest that was tried; it may act in another way: ${path}`,
    ),
  ]
}
