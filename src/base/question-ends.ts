/**
 * How a question ended, where its status does not say it. `dismissed`: closed without an answer. `repeated`: the same call was denied
 * shortly before. `with others`: all that was held back was denied. `too many`: beyond a limit of the hub.
 */
export const STORED_ENDS = ['dismissed', 'repeated', 'with others', 'too many'] as const
export type StoredEnd = (typeof STORED_ENDS)[number]
