/**
 * The ways a question can be settled, stored beside the name of the caller who settled it. `rule` covers every decision
 * made in advance: a rule of the user, a grant, a limit of the hub. `expiry` means that nobody answered in time. A
 * withdrawn question has no way, because nobody settled it.
 */
export const VIAS = ['form', 'tool', 'rpc', 'command_line', 'page', 'terminal', 'rule', 'expiry'] as const
export type Via = (typeof VIAS)[number]

/**
 * How a question ended, where its status does not say it. `dismissed`: closed without an answer. `repeated`: the same call was denied
 * shortly before. `with others`: all that was held back was denied. `too many`: beyond a limit of the hub.
 */
/**
 * Why nobody answers a question of a terminal here any more. `left to the terminal`: Plexus does not hold it, and the terminal asks
 * it. `decided by a hook`: of the user, or of a project that the user trusts.
 */
export const TERMINAL_ENDS = [
  'answered in the terminal',
  'left to the terminal',
  'decided by a hook',
] as const
export type TerminalEnd = (typeof TERMINAL_ENDS)[number]

export const STORED_ENDS = ['dismissed', 'repeated', 'with others', 'too many', ...TERMINAL_ENDS] as const
export type StoredEnd = (typeof STORED_ENDS)[number]
