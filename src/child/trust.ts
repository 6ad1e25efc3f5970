import { access, readdir, readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { z } from 'zod'

type Env = Readonly<Record<string, string | undefined>>

/** As much of the CLI's own record as says which folders a person has trusted. */
const TrustRecord = z.looseObject({ projects: z.record(z.string(), z.unknown()) })
export type TrustRecord = z.infer<typeof TrustRecord>

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
export async function readTrustRecord(env: Env): Promise<TrustRecord> {
  for (const path of recordPaths(env)) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return recordFrom(text)
  }
  return { projects: {} }
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

function recordFrom(text: string): TrustRecord {
  try {
    const parsed = TrustRecord.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : { projects: {} }
  } catch {
    return { projects: {} }
  }
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
export async function notLoaded(dir: string, env: Env = {}): Promise<string[]> {
  const own = configFolder(env)
  const found = await Promise.all((await foldersOfRepository(dir)).map(projectThingsIn))
  return found
    .flat()
    .filter((path) => own === undefined || !path.startsWith(`${own}/`))
    .map((path) => relative(dir, path))
}

/** Two looks, and not one for each thing that could be there. */
async function projectThingsIn(folder: string): Promise<string[]> {
  const [names, inClaude] = await Promise.all(
    [folder, join(folder, '.claude')].map((one) => readdir(one).catch(() => [])),
  )
  const there = new Set([...(names ?? []), ...(inClaude ?? []).map((name) => `.claude/${name}`)])
  return PROJECT_THINGS.filter((thing) => there.has(thing)).map((thing) => join(folder, thing))
}

/** The folder and those above it up to the one with `.git`; only itself outside a repository. */
async function foldersOfRepository(dir: string): Promise<string[]> {
  const folders = selfAndParents(dir)
  const found = await Promise.all(folders.map((folder) => exists(join(folder, '.git'))))
  return folders.slice(0, found.indexOf(true) + 1 || 1)
}

function selfAndParents(dir: string): string[] {
  if (!isAbsolute(dir)) return []
  const parent = dirname(dir)
  return parent === dir ? [dir] : [dir, ...selfAndParents(parent)]
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
