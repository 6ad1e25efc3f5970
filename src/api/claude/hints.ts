export const WAIT =
  'It is at work: call claude_status with this sessionId; that waits until it needs you or is done.'

/** What to do next, behind what there is to know about what was said, if anything. */
export function hintBehind(aboutSaid: string | undefined, next: string): string {
  return aboutSaid === undefined ? next : `${aboutSaid} ${next}`
}

/** Several that there may be, as one. */
export function hintsOf(...hints: readonly (string | undefined)[]): string | undefined {
  const there = hints.filter((hint) => hint !== undefined)
  return there.length === 0 ? undefined : there.join(' ')
}
