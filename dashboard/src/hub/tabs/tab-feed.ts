import type { FollowedPage } from '../../../../src/engine/follow-all.ts'

/**
 * The tabs of one device share one stream of the hub, because a browser opens six connections to a host and a stream holds one.
 * One tab leads: it has the stream, and passes on what arrives. All others follow it. What they say to each other:
 */
export type TabMessage =
  /** Of a tab that follows: it has joined, or has heard nothing for a while. */
  | { readonly type: 'where' }
  /** Of the tab that leads; without a position until the hub has answered it. */
  | { readonly type: 'here'; readonly position?: number | undefined }
  /** What the hub sent to the tab that leads, and the position that it continues from. */
  | { readonly type: 'page'; readonly after: number; readonly page: FollowedPage }

/** A tab that follows. */
export interface Following {
  /** This tab has everything up to here; undefined until it has begun. */
  readonly position: number | undefined
  /** When the tab that leads was last heard. */
  readonly heardAt: number
  /** Since when this tab waits for `here`; undefined if it does not. */
  readonly askedAt?: number | undefined
}

/** A tab that joins asks at once. */
export function joined(position: number | undefined, now: number): Following {
  return { position, heardAt: now, askedAt: now }
}

/** What a page of the hub is for the other tabs. Pure. */
export function passedOn(position: number | undefined, page: FollowedPage): TabMessage {
  return position === undefined
    ? { type: 'here', position: page.position }
    : { type: 'page', after: position, page }
}

export interface Heard {
  readonly following: Following
  /** For this tab: nothing twice, nothing out of order, and `missed` where something lies between. */
  readonly page?: FollowedPage
}

/** A message of the tab that leads. Pure. */
export function heard(
  { position }: Following,
  message: Exclude<TabMessage, { type: 'where' }>,
  now: number,
): Heard {
  const at = (reached: number | undefined): Following => ({ position: reached, heardAt: now })
  if (message.type === 'here') {
    const { position: reached } = message
    if (reached === undefined) return { following: at(position) }
    const isMissing = position !== undefined && reached !== position
    return { following: at(reached), page: emptyPage(reached, isMissing) }
  }
  const { after, page } = message
  // The state is read at the beginning anyway, and after what was missed.
  if (position === undefined) return { following: at(page.position), page: emptyPage(page.position, false) }
  if (page.missed || after > position)
    return { following: at(page.position), page: { ...page, missed: true } }
  // A tab that has just begun to lead was behind this one.
  if (page.position < position) return { following: at(position) }
  const steps = page.steps.filter((step) => step.position > position)
  return { following: at(page.position), page: { ...page, steps } }
}

function emptyPage(position: number, isMissing: boolean): FollowedPage {
  return { steps: [], position, ...(isMissing ? { missed: true } : {}) }
}

/** A tab that leads answers at once, unless it is frozen, stuck or gone. */
const ANSWER_MS = 2_000
/** A person who looks at a tab must not look at what is old. */
const QUIET_MS = 5_000

/** What a tab that follows does now: it asks whether the one that leads is there, or leads itself. Pure. */
export function nextAction(
  { heardAt, askedAt }: Following,
  now: number,
  isVisible: boolean,
): 'ask' | 'lead' | undefined {
  if (askedAt !== undefined) return now - askedAt >= ANSWER_MS ? 'lead' : undefined
  return isVisible && now - heardAt >= QUIET_MS ? 'ask' : undefined
}
