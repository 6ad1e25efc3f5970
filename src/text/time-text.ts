import { AppError } from '../base/errors.ts'

/** `90`, `90s`, `10m` or `2h`. */
export function secondsIn(flag: string, text: string): number {
  const [, number, unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? []
  const seconds = Number(number) * (UNITS.get(unit) ?? 0)
  if (seconds > 0) return seconds
  throw new AppError('invalid_input', `${flag} must be a time such as 90s, 10m or 2h.`)
}

/** The same, and no time at all: how long to wait may be 0, or part of a second. */
export function waitSecondsIn(flag: string, text: string): number {
  const [, number, unit = 's'] = /^(\d{1,6}(?:\.\d+)?)([smh])?$/.exec(text) ?? []
  if (number !== undefined) return Number(number) * (UNITS.get(unit) ?? 0)
  throw new AppError('invalid_input', `${flag} must be a time such as 90s, 10m or 2h.`)
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
])
