/**
 * The ways by which a question is settled; on record beside who did it. `rule` is whatever decides without being asked: a
 * rule of the user, a grant, a limit of the hub. `expiry` is silence. One that is withdrawn was settled by nobody.
 */
export const VIAS = ['form', 'tool', 'rpc', 'command_line', 'page', 'terminal', 'rule', 'expiry'] as const
export type Via = (typeof VIAS)[number]
