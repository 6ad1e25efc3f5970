import { resolve } from 'node:path'
import { isWithin, resolvePath } from '../../shell/path-bounds.ts'
import type { ShellContext } from '../../shell/harmless.ts'

/**
 * Whether a text in an input leads into the folder, or to a folder that it is in. A tool of an MCP server may read or write
 * what it is given as a path; which of its fields is one, only the server knows. So each text is tried as one, also a plain
 * name: it may be that of a link.
 */
export function namesFolder(input: unknown, folder: string, { files, cwd }: ShellContext): boolean {
  const texts = textsIn(input)
  if (texts.some((text) => text.includes(folder))) return true
  const named = texts.flatMap(pathsOf)
  const paths = [...named, ...named.filter(hasDots).map((path) => resolve(cwd, path))].filter(isPath)
  // Nobody can say of so many where each leads, and each part of a path is looked up on the disk.
  if (texts.length > MAX_TEXTS || partsOf(paths) > MAX_PARTS) return true
  return paths.some((path) => {
    if (path.startsWith('~')) return true // whose home folder that is, the server decides
    const real = resolvePath(files, cwd, path)
    return real === undefined || isWithin(real, folder) || isWithin(folder, real)
  })
}

/** Every text at any depth, keys included; JSON has no cycle. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

/** What a text is as a path. A server may take `..` out of an address before it decodes the rest, or after. */
function pathsOf(text: string): string[] {
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (address?.protocol !== 'file:') return [text.trim()]
  return [address.pathname, text.trim().replace(/^file:(?:\/\/[^/]*)?/i, '')].map(decoded)
}

/** What cannot be decoded may lead anywhere, as `~` does. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return '~'
  }
}

/** The kernel follows a link before `..`; many servers apply `..` first, also in what would be too long for the kernel. */
function hasDots(path: string): boolean {
  return /^\.|\/[./]/.test(path)
}

/** A longer text, or one of several lines, is content. */
function isPath(text: string): boolean {
  return text.length <= MAX_PATH && !/[\0\n]/.test(text)
}

function partsOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + path.split('/').length, 0)
}

const MAX_TEXTS = 2_000
const MAX_PARTS = 4_000
const MAX_PATH = 4_096
