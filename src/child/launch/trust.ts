import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { z } from 'zod'

type Env = Readonly<Record<string, string | undefined>>

/** As much of the CLI's own record as says which folders a person has trusted. */
const TrustRecord = z.looseObject({ projects: z.record(z.string(), z.unknown()) })
export type TrustRecord = z.infer<typeof TrustRecord>

const NOTHING: TrustRecord = { projects: {} }

const Accepted = z.looseObject({ hasTrustDialogAccepted: z.literal(true) })

/**
 * Whether a person has said that the settings of this folder may be loaded: to the CLI, or to us. A folder
 * inherits the trust of those above it, as it does in the CLI. Takes real paths.
 */
export function isTrusted(dir: string, record: TrustRecord, ours: readonly string[] = []): boolean {
  return selfAndParents(dir).some(
    (folder) => ours.includes(folder) || Accepted.safeParse(record.projects[folder]).success,
  )
}

/**
 * The record as the CLI would read it now; an empty one when there is none or it makes no sense, for then
 * nothing is trusted. Never written.
 */
export function readTrustRecord(env: Env): TrustRecord {
  const path = recordPaths(env).find((one) => existsSync(one))
  if (path === undefined) return NOTHING
  try {
    return TrustRecord.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return NOTHING
  }
}

/** The first that exists is the one the CLI uses. */
function recordPaths(env: Env): string[] {
  const config = configFolder(env)
  if (config === undefined) return []
  const usual = env['CLAUDE_CONFIG_DIR']
    ? join(config, '.claude.json')
    : join(dirname(config), '.claude.json')
  return [join(config, '.config.json'), usual]
}

/** Where the CLI keeps its things. An empty variable counts as unset, for the CLI as here. */
export function configFolder({ CLAUDE_CONFIG_DIR, HOME }: Env): string | undefined {
  if (CLAUDE_CONFIG_DIR) return resolve(CLAUDE_CONFIG_DIR)
  return HOME ? join(HOME, '.claude') : undefined
}

const PROJECT_THINGS = [
  'CLAUDE.md',
  'CLAUDE.local.md',
  '.mcp.json',
  '.claude/CLAUDE.md',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/rules',
  '.claude/agents',
  '.claude/skills',
  '.claude/commands',
  '.claude/output-styles',
  '.claude/workflows',
]

/**
 * What lies in an untrusted folder, or above it in its repository, and is therefore not loaded. The user's own
 * config folder is, even where a home folder is a repository.
 */
export function notLoaded(dir: string, env: Env = {}): string[] {
  const own = configFolder(env)
  return foldersOfRepository(dir)
    .flatMap(projectThingsIn)
    .filter((path) => own === undefined || !path.startsWith(`${own}/`))
    .map((path) => relative(dir, path))
}

function projectThingsIn(folder: string): string[] {
  const inClaude = existsSync(join(folder, '.claude'))
  return PROJECT_THINGS.filter((thing) => inClaude || !thing.startsWith('.claude/'))
    .map((thing) => join(folder, thing))
    .filter((path) => existsSync(path))
}

/** The folder and those above it up to the one with `.git`; only itself outside a repository. */
function foldersOfRepository(dir: string): string[] {
  const folders = selfAndParents(dir)
  return folders.slice(0, folders.findIndex((folder) => existsSync(join(folder, '.git'))) + 1 || 1)
}

function selfAndParents(dir: string): string[] {
  if (!isAbsolute(dir)) return []
  const parent = dirname(dir)
  return parent === dir ? [dir] : [dir, ...selfAndParents(parent)]
}
