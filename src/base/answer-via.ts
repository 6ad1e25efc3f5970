/**
 * The ways a question can be settled, stored beside the name of the caller who settled it. `rule` covers every decision
 * made in advance: a rule of the user, a grant, a limit of the hub. `expiry` means that nobody answered in time. A
 * withdrawn question has no way, because nobody settled it.
 */
export const VIAS = ['form', 'tool', 'rpc', 'command_line', 'page', 'terminal', 'rule', 'expiry'] as const
export type Via = (typeof VIAS)[number]
