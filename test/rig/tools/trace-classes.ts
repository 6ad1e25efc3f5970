import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * The names of the classes below these folders of src that are handed a text in an argument of a public method, or return it,
 * from now on until the test is over. Their methods do what they did before.
 */
export async function classesThatGet(text: string, folders: readonly string[]): Promise<Set<string>> {
  const names = new Set<string>()
  for (const folder of folders)
    for (const file of readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue
      const exported = (await import(join(SRC, folder, file))) as Record<string, unknown>
      for (const value of Object.values(exported))
        if (typeof value === 'function' && isClass(value))
          for (const owner of [value.prototype, value])
            trace(owner, value.name, (given) => holds(given, text), names)
    }
  return names
}

type Method = (this: unknown, ...args: unknown[]) => unknown

function trace(owner: object, name: string, isWanted: (given: unknown) => boolean, names: Set<string>) {
  for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (key === 'constructor' || typeof value !== 'function') continue
    const method = value as Method
    const note = (given: unknown) => void (isWanted(given) && names.add(name))
    const traced: Method = function (...args) {
      note(args)
      const result = method.apply(this, args)
      note(result)
      if (result instanceof Promise) result.then(note, () => {})
      return result
    }
    Object.defineProperty(owner, key, { value: traced, configurable: true, writable: true })
    onTestFinished(
      () => void Object.defineProperty(owner, key, { value, configurable: true, writable: true }),
    )
  }
}

function isClass(value: object): value is { readonly name: string; readonly prototype: object } {
  return Function.prototype.toString.call(value).startsWith('class ')
}

/** Looks into plain data only: what an object of ours keeps to itself was not handed on. */
function holds(value: unknown, text: string, depth = 0): boolean {
  if (typeof value === 'string') return value.includes(text)
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return false
  if (value instanceof Uint8Array) return Buffer.from(value).includes(text)
  const parts: unknown[] =
    value instanceof Map ? [...value.values()] : isPlain(value) ? Object.values(value) : []
  return parts.some((part) => holds(part, text, depth + 1))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

const SRC = join(import.meta.dirname, '../../../src')
const MOST_DEPTH = 8
