import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import { configFolder } from '../../child/launch/trust.ts'
import { managedSettingsFile, managedSettingsFiles } from '../../sessions/launch/managed-settings.ts'
import { readSettings } from '../../system/files/settings-file.ts'
import { parseJson } from '../../text/json-text.ts'
import { valueAt } from '../files/jsonc-edit.ts'
import { isProgram } from './find-curl.ts'
import { findHooks, type FoundHook, type HookParts } from './hook-entry.ts'
import { RELAY_SCRIPT, relayPath } from './relay-script.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What lets the terminals of this user ask the hub of a home folder, as it is on this machine. */
export interface TerminalsState {
  /** The user's settings of Claude Code. */
  readonly file: string
  /** What is wrong with that file. */
  readonly problem?: string | undefined
  /** Claude Code skips the whole file, because it has comments or trailing commas. */
  readonly isSkipped?: boolean
  /** The entry for this home folder. */
  readonly hook?: FoundHook | undefined
  /** The relay that an entry of another home folder starts. */
  readonly otherRelay?: string | undefined
  readonly relay: 'current' | 'other' | 'missing'
  /** Whether the curl of the entry is there. */
  readonly hasCurl: boolean
  /** The settings file that switches the hooks of this user off. */
  readonly hooksOffIn?: string | undefined
  /** The plugin that asks the hub too, by its name and marketplace. */
  readonly plugin?: string | undefined
}

/** The file that terminals of this environment read. */
export function userSettingsFile(env: Env): string {
  const folder = configFolder(env)
  if (folder === undefined) throw new AppError('invalid_input', NO_FOLDER)
  return join(folder, 'settings.json')
}

const NO_FOLDER =
  'Neither HOME nor CLAUDE_CONFIG_DIR is set, so the settings of Claude Code have no place; set one and try again.'

/** The paths of a home folder that the entry has; a link is resolved, so that the same folder has one name. */
export function pathsOf(home: string): Pick<HookParts, 'relay' | 'socket'> {
  const real = realPathOf(home)
  return { relay: relayPath(real), socket: join(real, 'hub.sock') }
}

/** Of a folder that need not exist yet. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync.native(path)
  return path === dirname(path) ? path : join(realPathOf(dirname(path)), basename(path))
}

/** Reads only. */
export function terminalsState(env: Env, home: string, platform: NodeJS.Platform): TerminalsState {
  const folder = configFolder(env)
  if (folder === undefined) return { file: '', relay: 'missing', hasCurl: true, problem: NO_FOLDER }
  const file = join(folder, 'settings.json')
  const { relay } = pathsOf(home)
  const text = textOf(relay)
  const known = {
    file,
    relay: text === undefined ? 'missing' : text === RELAY_SCRIPT ? 'current' : 'other',
  } as const
  try {
    const settings = readSettings(file) ?? ''
    const hooks = findHooks(settings)
    const hook = hooks.find((found) => found.relay === relay)
    return {
      ...known,
      isSkipped: !isPlainJson(settings),
      hook,
      otherRelay: hooks.find((found) => found.relay !== relay)?.relay,
      hasCurl: hook === undefined || isProgram(hook.curl),
      hooksOffIn: hooksOffIn([
        { file, text: settings, switches: ['disableAllHooks'] },
        ...managedSettingsFiles(managedSettingsFile(platform)).map((managed) => ({
          file: managed,
          text: textOf(managed) ?? '',
          switches: ['disableAllHooks', 'allowManagedHooksOnly'],
        })),
      ]),
      plugin: pluginIn(settings),
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { ...known, hasCurl: true, problem }
  }
}

/** As 2.1.197 and 2.1.325 read their settings: an empty file is fine, and so is a mark of the byte order. */
function isPlainJson(text: string): boolean {
  const json = text.replace(/^\uFEFF/, '')
  return json.trim() === '' || parseJson(json) !== undefined
}

interface Switches {
  readonly file: string
  readonly text: string
  readonly switches: readonly string[]
}

function hooksOffIn(files: readonly Switches[]): string | undefined {
  return files.find(({ text, switches }) => switches.some((name) => valueAt(text, [name]) === true))?.file
}

const Plugins = z.record(z.string(), z.unknown()).catch({})

function pluginIn(settings: string): string | undefined {
  const enabled = Plugins.parse(valueAt(settings, ['enabledPlugins']))
  return Object.keys(enabled).find(
    (name) => /^plexus-terminals@[\w.-]+$/.test(name) && enabled[name] === true,
  )
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
