import type { CallerRecord } from '../callers/caller.ts'
import { DEVICE_SCOPES, type DeviceScope } from '../callers/device-scope.ts'

/** A browser of a person, with a token of its own. */
export interface Device {
  readonly name: string
  readonly scope: DeviceScope
  readonly createdAt: number
  readonly lastSeenAt: number
  /** When its token stops to be valid, unless the device is used before. */
  readonly endsAt: number
}

const DAY_MS = 86_400_000
/** Without use. */
const LIFE_MS = 30 * DAY_MS
/** Each request of a device is a use; it is not worth a write each time. */
const NOTE_EVERY_MS = 600_000
const MAX_NAME = 40

export function deviceOf({ name, scopes, createdAt, lastSeenAt = createdAt }: CallerRecord): Device {
  const scope = DEVICE_SCOPES.findLast((known) => scopes.includes(known)) ?? 'read'
  return { name, scope, createdAt, lastSeenAt, endsAt: lastSeenAt + LIFE_MS }
}

export function isActive(record: CallerRecord, now: number): boolean {
  return record.kind === 'device' && record.revokedAt === undefined && now < deviceOf(record).endsAt
}

/** The record with this use noted; undefined if a use was noted a short time ago. */
export function usedNow(record: CallerRecord, now: number): CallerRecord | undefined {
  const { lastSeenAt } = deviceOf(record)
  return Math.abs(now - lastSeenAt) < NOTE_EVERY_MS ? undefined : { ...record, lastSeenAt: now }
}

/** A name for a new device: what the person or the browser calls it, with a number if another has that name. */
export function freeDeviceName(label: string, taken: readonly string[]): string {
  const plain = label
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
    .trim()
    .slice(0, MAX_NAME)
  const base = plain === '' ? 'browser' : plain
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base} ${number}`
    if (!taken.includes(name)) return name
  }
}
