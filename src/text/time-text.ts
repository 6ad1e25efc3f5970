import { AppError } from '../base/errors.ts'

/** `90`, `90s`, `10m` or `2h`. */
export function secondsIn(flag: string, text: string): number {
  const [, number, unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? []
  const seconds = Number(number) * (UNITS.get(unit) ?? 0)
  if (seconds > 0) return seconds
  throw new AppError('invalid_input', `${flag} must be a time such as 90s, 10m or 2h.`)
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
])
