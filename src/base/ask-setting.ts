/** Who gets a session's questions: the calling model, the person at its client, or both (the person first). */
export const ASKS = ['model', 'person', 'both'] as const
export type Ask = (typeof ASKS)[number]

export const INVALID_ASK = 'ask must be model, person or both.'

export function isAsk(value: unknown): value is Ask {
  return ASKS.some((ask) => ask === value)
}
