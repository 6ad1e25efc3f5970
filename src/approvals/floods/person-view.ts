/** A caller, as far as it matters whether questions are held back from it. */
interface Viewer {
  readonly person: boolean
  readonly via?: string | undefined
}

/** A person at a face of Plexus. Programs and models are shown all that is open, and can answer it. */
export function isHeldBackFrom({ person, via }: Viewer): boolean {
  return person && via !== undefined && FACES.has(via)
}

/**
 * What such a person is shown of the open questions of several sessions, in the order of asking: not what is held back, but the
 * one question that stands for it or, once the person wants to see them, the oldest of them.
 */
export function shownToPerson<T extends { readonly sessionId: string; readonly held?: true | undefined }>(
  open: readonly T[],
  isShowing: (sessionId: string) => boolean,
): T[] {
  const begun = new Set<string>()
  return open.filter(({ sessionId, held }) => {
    if (!held) return true
    if (begun.has(sessionId) || !isShowing(sessionId)) return false
    begun.add(sessionId)
    return true
  })
}

/** All others get every question, and not the one that stands for them. */
export function shownToOthers<T extends { readonly flood?: true | undefined }>(open: readonly T[]): T[] {
  return open.filter(({ flood }) => !flood)
}

const FACES: ReadonlySet<string> = new Set(['form', 'command_line', 'page', 'terminal'])
