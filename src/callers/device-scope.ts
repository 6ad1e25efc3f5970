import type { Verb } from './access-rules.ts'

/** What a device may do; each scope includes those before it. */
export const DEVICE_SCOPES = ['read', 'answer', 'operate'] as const
export type DeviceScope = (typeof DEVICE_SCOPES)[number]

/** The scope that a verb needs. Only a child asks. */
const NEEDED: Readonly<Record<Verb, DeviceScope | undefined>> = {
  read: 'read',
  answer: 'answer',
  say: 'operate',
  interrupt: 'operate',
  change: 'operate',
  fork: 'operate',
  stop: 'operate',
  issue: undefined,
  ask: undefined,
}

export function deviceMay(scopes: readonly string[], verb: Verb): boolean {
  const needed = NEEDED[verb]
  return needed !== undefined && hasDeviceScope(scopes, needed)
}

export function hasDeviceScope(scopes: readonly string[], needed: DeviceScope): boolean {
  return DEVICE_SCOPES.slice(DEVICE_SCOPES.indexOf(needed)).some((scope) => scopes.includes(scope))
}
