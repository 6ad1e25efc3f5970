export const WAIT =
  'It is at work: call claude_status with this sessionId; the call waits until the session needs you or is done.'

/** A notice about the call, if there is one, and then what to do next. */
export function hintAfterNotice(notice: string | undefined, next: string): string {
  return notice === undefined ? next : `${notice} ${next}`
}

export function joinHints(...hints: readonly (string | undefined)[]): string | undefined {
  const given = hints.filter((hint) => hint !== undefined)
  return given.length === 0 ? undefined : given.join(' ')
}
