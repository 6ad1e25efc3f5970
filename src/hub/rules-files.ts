import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import {
  type LoadedRules,
  MAX_BYTES,
  NO_RULES,
  parseRules,
  type RulesFile,
  type RulesNow,
} from '../rules/rules-file.ts'
import { fileStamp } from '../system/files/file-stamp.ts'
import { writeSettings } from '../system/files/settings-file.ts'

export function rulesPath(home: string): string {
  return join(home, 'rules.json')
}

/**
 * The rules of a home folder at each moment; its file is read again when it has changed. The last rules that could be read
 * are kept beside it: while the file is broken or gone, what they forbid stays forbidden, also for the next hub.
 */
export function homeRules(home: string, log: Pick<Log, 'warn'>): () => RulesNow {
  const path = rulesPath(home)
  const kept = join(home, 'rules.last-good.json')
  let last = readKept(kept)
  return readAgain(path, () => {
    try {
      const text = readRules(path)
      if (text === undefined && last === undefined) return { rules: NO_RULES }
      if (text === undefined)
        throw new AppError('not_found', 'it is gone; write {"v":1} into it if there shall be no rules.')
      const rules = parseRules(text)
      if (rules.digest !== last?.digest) keep(kept, text)
      last = rules
      return { rules }
    } catch (error) {
      const fault = `${path} cannot be used: ${reasonOf(error)} Until then all that its rules decide is asked about, and what they forbid stays forbidden.`
      log.warn(fault)
      return { rules: last ?? NO_RULES, fault }
    }
  })
}

/** The rules of repositories at each moment. A repository without such a file has none. */
export function repositoryRules(log: Pick<Log, 'warn'>): (folder: string) => RulesNow | undefined {
  const readers = new Map<string, () => RulesNow | undefined>()
  return (folder) => {
    const path = join(folder, '.claude', 'plexus-rules.json')
    const reader =
      readers.get(path) ??
      readAgain(path, () => {
        try {
          const text = readRules(path)
          return text === undefined ? undefined : { rules: parseRules(text, 'repository') }
        } catch (error) {
          const fault = `${path} cannot be used: ${reasonOf(error)} Until then its session asks about each call.`
          log.warn(fault)
          return { rules: NO_RULES, fault }
        }
      })
    readers.set(path, reader)
    return reader()
  }
}

/** The rules file of a home folder, for the verb that changes it. */
export function homeRulesFile(home: string): RulesFile {
  const path = rulesPath(home)
  return {
    read: () => readRules(path),
    replace: (before, after) => writeSettings(path, before, after),
  }
}

/** The rules in a file; undefined if there is none. An error says what is wrong with it. */
export function readRulesFile(path: string): LoadedRules | undefined {
  const text = readRules(path)
  return text === undefined ? undefined : parseRules(text)
}

/**
 * What `read` makes of the file, and again whenever the file has changed or could not be read. It is looked at once for all that
 * one call is judged by: the judgement is made in one piece, and then by one state of the file.
 */
function readAgain<T extends RulesNow | undefined>(path: string, read: () => T): () => T {
  let known: { readonly stamp: string; readonly value: T } | undefined
  let isCurrent = false
  const outdate = () => void (isCurrent = false)
  return () => {
    if (known && isCurrent) return known.value
    const stamp = stampOf(path)
    if (stamp === undefined || known?.stamp !== stamp) known = { stamp: stamp ?? '', value: read() }
    isCurrent = true
    queueMicrotask(outdate)
    return known.value
  }
}

/** Undefined if that cannot be known. */
function stampOf(path: string): string | undefined {
  try {
    return fileStamp(statSync(path, { bigint: true, throwIfNoEntry: false })) ?? 'none'
  } catch {
    return undefined
  }
}

/** Undefined if there is no such file. */
function readRules(path: string): string | undefined {
  try {
    const found = statSync(path)
    // A pipe or a device would be read for ever, and the hub does nothing else meanwhile.
    if (!found.isFile()) throw new AppError('invalid_input', 'it is no plain file.')
    const { size } = found
    if (size > MAX_BYTES * 2)
      throw new AppError(
        'invalid_input',
        `it is larger than ${MAX_BYTES >> 20} MiB; remove rules that nobody needs.`,
      )
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

function readKept(path: string): LoadedRules | undefined {
  try {
    return parseRules(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** By rename, so that a hub that dies here leaves the old one. */
function keep(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'it cannot be read.'
}
