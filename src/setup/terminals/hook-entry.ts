import { basename } from 'node:path'
import { z } from 'zod'
import { valueAt, withItem, withMember, withoutEmpty, withoutMember } from '../files/jsonc-edit.ts'
import { RELAY_NAME, SHELL } from './relay-script.ts'

/** What the entry starts: the relay with the socket of the hub and the curl that it uses, each as a full path. */
export interface HookParts {
  readonly relay: string
  readonly socket: string
  readonly curl: string
}

/** A hook of ours in a settings text, of whichever home folder. */
export interface FoundHook extends HookParts {
  /** Where it stands: which group of the list, and which hook of the group. */
  readonly place: readonly [group: number, hook: number]
  /** Whether nothing else is in its group. */
  readonly isAlone: boolean
  /** Whether it is what `plexus terminals on` writes now. */
  readonly isCurrent: boolean
}

const LIST = ['hooks', 'PermissionRequest']
/** A day: the dialog is there as long as nobody answers it, and the default of ten minutes would end the relay before that. */
const TIMEOUT_SECONDS = 86_400

const Groups = z
  .array(z.looseObject({ hooks: z.array(z.unknown()).catch([]) }).catch({ hooks: [] }))
  .catch([])
const OurHook = z.looseObject({ args: z.tuple([z.string(), z.string(), z.string()]) })

/** In exec form, so that no shell reads the paths. Without a matcher it is for every tool. */
export function hookEntry(parts: HookParts): object {
  return { hooks: [hookOf(parts)] }
}

function hookOf({ relay, socket, curl }: HookParts): object {
  return { type: 'command', command: SHELL, args: [relay, socket, curl], timeout: TIMEOUT_SECONDS }
}

/** Throws a SyntaxError if the text is no settings file. */
export function findHooks(text: string): FoundHook[] {
  return Groups.parse(valueAt(text, LIST)).flatMap(({ hooks, ...rest }, group) =>
    hooks.flatMap((hook, index) => {
      const found = OurHook.safeParse(hook).data
      const [relay = '', socket = '', curl = ''] = found?.args ?? []
      if (basename(relay) !== RELAY_NAME) return []
      const parts = { relay, socket, curl }
      const isAlone = hooks.length === 1
      const isCurrent = JSON.stringify(hook) === JSON.stringify(hookOf(parts)) && !('matcher' in rest)
      return [{ ...parts, place: [group, index] as const, isAlone, isCurrent }]
    }),
  )
}

/** False for a text that is no settings file. */
export function hasOnlyOurHook(text: string): boolean {
  try {
    const groups = Groups.parse(valueAt(text, LIST))
    return groups.length > 0 && groups.flatMap(({ hooks }) => hooks).length === findHooks(text).length
  } catch {
    return false
  }
}

/** Adds the entry, in place of one for the same relay that says something else. */
export function withHook(text: string, parts: HookParts): string {
  const mine = findHooks(text).filter(({ relay }) => relay === parts.relay)
  const [only, ...more] = mine
  if (only && more.length === 0 && only.isCurrent && isSame(only, parts)) return text
  if (only && more.length === 0 && only.isAlone)
    return withMember(text, [...LIST, only.place[0]], hookEntry(parts))
  return withItem(withoutHooks(text, parts.relay), LIST, hookEntry(parts))
}

/** Removes every hook of this relay, and the group that had nothing else. */
export function withoutHooks(text: string, relay: string): string {
  const found = findHooks(text).find((hook) => hook.relay === relay)
  if (!found) return text
  const [group, hook] = found.place
  const path = found.isAlone ? [...LIST, group] : [...LIST, group, 'hooks', hook]
  return withoutHooks(withoutMember(text, path), relay)
}

/** Removes the lists that had to be made for the entry: those that the text before did not have. */
export function withoutMadeLists(text: string, before: string): string {
  const made = [LIST, LIST.slice(0, 1)].filter((path) => valueAt(before, path) === undefined)
  return made.reduce((edited, path) => withoutEmpty(edited, path), text)
}

function isSame(a: HookParts, b: HookParts): boolean {
  return a.relay === b.relay && a.socket === b.socket && a.curl === b.curl
}
