import { realpathSync } from 'node:fs'
import type { Words } from './client-table.ts'

export interface McpFlags {
  readonly as?: string | undefined
  readonly ask?: string | undefined
  readonly home?: string | undefined
}

/** This very program, as others start it from any folder. */
export interface Program {
  /** The Node that runs it. */
  readonly node: string
  /** The file that Node was given. */
  readonly file: string
}

/**
 * The command that a client starts. A program of npx lies in a cache that is emptied now and then, so that one is fetched
 * again by its name.
 */
export function ownCommand({ node, file }: Program, { as, ask, home }: McpFlags = {}): Words {
  const flags = Object.entries({ as, ask, home }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}`, value],
  )
  if (file.split('/').includes('_npx')) return ['npx', '-y', 'plexus-mcp', 'mcp', ...flags]
  return [node, file, 'mcp', ...flags]
}

/** A link such as /usr/local/bin/plexus is resolved: the package may be moved under it. */
export function thisProgram(): Program {
  const [, file = ''] = process.argv
  return { node: process.execPath, file: realpathSync.native(file) }
}
