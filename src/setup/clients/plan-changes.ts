import type { FileChange } from '../files/file-change.ts'
import { planFor, undone } from '../files/plan-change.ts'
import { readSettings } from '../../system/files/settings-file.ts'
import { hasRules, rulesFile, withoutRules, withRules } from './allow-rules.ts'
import { entryIn, hasServers, isEntry, startsExactly, withEntry, withoutEntry } from './client-entry.ts'
import type { Client, Place, Words } from './client-table.ts'
import { fileOf } from './configured-clients.ts'

/** The file that has to change so that the client starts this; none if it does already. */
export function planInstall(client: Client, place: Place, words: Words): FileChange[] {
  return planFor(fileOf(client, place), (text = '', backup) => {
    const entry = entryIn(client, text)
    if (startsExactly(entry, words)) return undefined
    return {
      after: withEntry(client, text, client.entry(words)),
      isFirst: entry === undefined || backup === undefined,
    }
  })
}

export function planUninstall(client: Client, place: Place): FileChange[] {
  return planFor(fileOf(client, place), (text = '', backup) => {
    const entry = entryIn(client, text)
    if (entry === undefined) return undefined
    const base = backup === undefined ? undefined : withoutEntry(client, backup)
    const ownsServers = base !== undefined && !hasServers(client, base)
    return {
      after: undone(text, base, {
        add: (rest) => (isEntry(entry) ? withEntry(client, rest, entry) : rest),
        remove: () => withoutEntry(client, text, { ownsServers }),
      }),
    }
  })
}

/** The rules by which Claude Code lets the model use the tools that decide nothing. */
export function planRules(place: Place): FileChange[] {
  return planFor(rulesFile(place), (text = '', backup) => {
    const after = withRules(text)
    return after === text ? undefined : { after, isFirst: !hasRules(text) || backup === undefined }
  })
}

export function hasAllowRules(place: Place): boolean {
  try {
    return hasRules(readSettings(rulesFile(place)) ?? '')
  } catch {
    return false
  }
}

/** Rules that were there before ours stay. */
export function planRulesRemoval(place: Place): FileChange[] {
  return planFor(rulesFile(place), (text = '', backup) => {
    if (!hasRules(text)) return undefined
    const remove = () => withoutRules(text, backup)
    return { after: undone(text, backup, { add: withRules, remove }) }
  })
}
