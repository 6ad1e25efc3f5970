/** From how many questions on a person is no longer shown each: the next ones are held back. */
export interface FloodLimits {
  readonly perTurn: number
  readonly perMinute: number
}

export const FLOOD_LIMITS: FloodLimits = { perTurn: 50, perMinute: 20 }

/** What is known of the questions of one session that a person is asked. Pure: times come with the questions. */
export interface Flood {
  /** The turn that `inTurn` counts. */
  readonly turn: number
  readonly inTurn: number
  /** When the latest ones were asked, oldest first, in ms since 1970. */
  readonly lately: readonly number[]
  /** A person wants to see what is held back: one after the other. */
  readonly showing: boolean
}

export const NO_FLOOD: Flood = { turn: 0, inTurn: 0, lately: [], showing: false }

/** A question that is about to be asked: its turn, its time, and how many of the session are held back. */
export interface NextQuestion {
  readonly turn: number
  readonly at: number
  readonly held: number
}

/** Whether it is held back. While others are, it is too: what was asked first is shown first. */
export function isHeld(flood: Flood, { turn, at, held }: NextQuestion, limits: FloodLimits): boolean {
  const inTurn = flood.turn === turn ? flood.inTurn : 0
  return held > 0 || inTurn >= limits.perTurn || recent(flood.lately, at).length >= limits.perMinute
}

/** After a question was asked. In a new turn with nothing held back, a person is shown questions as before. */
export function countAsked(flood: Flood, { turn, at, held }: NextQuestion): Flood {
  const isNewTurn = flood.turn !== turn
  return {
    turn,
    inTurn: isNewTurn ? 1 : flood.inTurn + 1,
    lately: [...recent(flood.lately, at), at].slice(-MAX_TIMES),
    showing: flood.showing && !(isNewTurn && held === 0),
  }
}

export function show(flood: Flood): Flood {
  return flood.showing ? flood : { ...flood, showing: true }
}

/** Within a minute in either direction: a clock that was set back does not make a flood look calm. */
function recent(times: readonly number[], at: number): readonly number[] {
  return times.filter((time) => Math.abs(at - time) < MINUTE_MS)
}

const MINUTE_MS = 60_000
const MAX_TIMES = 1_000
