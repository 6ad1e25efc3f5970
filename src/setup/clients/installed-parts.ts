import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configFolder } from '../../child/launch/trust.ts'
import { parseJson } from '../../text/json-text.ts'
import { terminalsState } from '../terminals/terminals-state.ts'
import type { Env } from './client-table.ts'
import { configuredClients } from './configured-clients.ts'
import { thisProgram } from './own-command.ts'
import { hasAllowRules } from './plan-changes.ts'

/** A part of Plexus on this machine, and the command that removes it. */
export interface InstalledPart {
  readonly what: string
  readonly where: string
  readonly command: string
}

export async function installedParts(env: Env, home: string): Promise<InstalledPart[]> {
  const clients = (await configuredClients(env))
    .filter(({ state }) => state === 'configured' || state === 'other')
    .map(({ client, title, file }) => ({ what: title, where: file, command: `plexus uninstall ${client}` }))
  return [
    ...clients,
    ...rules(env),
    ...terminals(env, home),
    ...services(env),
    ...plugins(env),
    ...homeFolder(home),
    program(),
  ]
}

function rules(env: Env): InstalledPart[] {
  if (!hasAllowRules({ env, platform: process.platform })) return []
  const where = join(configFolder(env) ?? '', 'settings.json')
  return [{ what: 'Allow rules', where, command: 'plexus uninstall claude-code --allow-rules' }]
}

function terminals(env: Env, home: string): InstalledPart[] {
  const { file, hook, otherRelay } = terminalsState(env, home, process.platform)
  const homes = [
    ...(hook ? [''] : []),
    ...(otherRelay === undefined ? [] : [` --home ${quoted(dirname(otherRelay))}`]),
  ]
  return homes.map((flag) => ({ what: 'Terminals', where: file, command: `plexus terminals off${flag}` }))
}

/** A unit or an agent of ours has our name in its own. */
function services({ HOME = '', XDG_CONFIG_HOME }: Env): InstalledPart[] {
  const folders = [
    join(XDG_CONFIG_HOME || join(HOME, '.config'), 'systemd/user'),
    join(HOME, 'Library/LaunchAgents'),
  ]
  return folders
    .flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))
    .filter((path) => /plexus[^/]*\.(service|plist)$/.test(path))
    .map((where) => ({ what: 'Service', where, command: 'plexus service uninstall' }))
}

function plugins(env: Env): InstalledPart[] {
  const where = join(configFolder(env) ?? '', 'plugins/installed_plugins.json')
  const record = existsSync(where) ? parseJson(readFileSync(where, 'utf8')) : undefined
  const installed = asObject(asObject(record)['plugins'])
  return Object.keys(installed)
    .filter((key) => /^plexus(-terminals)?@[\w.-]+$/.test(key))
    .map((key) => ({ what: 'Plugin', where, command: `claude plugin uninstall ${key}` }))
}

function homeFolder(home: string): InstalledPart[] {
  return existsSync(home) ? [{ what: 'Home folder', where: home, command: `rm -r ${quoted(home)}` }] : []
}

function program(): InstalledPart {
  const { file } = thisProgram()
  const [, cache] = /^(.*\/_npx\/[^/]+)\//.exec(file) ?? []
  if (cache !== undefined) return { what: 'Program', where: file, command: `rm -r ${quoted(cache)}` }
  const isPackage = file.includes('/node_modules/plexus-mcp/')
  const folder = dirname(dirname(file))
  return {
    what: 'Program',
    where: file,
    command: isPackage ? 'npm uninstall -g plexus-mcp' : `rm -r ${quoted(folder)}`,
  }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
