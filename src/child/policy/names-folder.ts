import { isWithin, resolvePath } from '../../shell/path-bounds.ts'
import type { ShellContext } from '../../shell/harmless.ts'

/**
 * Whether a text in an input leads into the folder, or to a folder that it is in. A tool of an MCP server may read or write
 * what it is given as a path; which of its fields is one, only the server knows.
 */
export function namesFolder(input: unknown, folder: string, { files, cwd }: ShellContext): boolean {
  const texts = textsIn(input)
  // Nobody can say of so many where each leads.
  if (texts.length > MAX_TEXTS) return true
  return texts.some((text) => text.includes(folder) || leadsTo(text))

  function leadsTo(text: string): boolean {
    const path = text.trim().replace(/^file:\/\/(localhost)?(?=\/)/i, '')
    const isPath = path.length <= MAX_PATH && !/[\0\n]/.test(path) && /^(~|\.{1,2}(\/|$)|\/)/.test(path)
    if (!isPath) return false
    if (path.startsWith('~')) return true // whose home folder that is, the server decides
    const real = resolvePath(files, cwd, path)
    return real === undefined || isWithin(real, folder) || isWithin(folder, real)
  }
}

/** Every text at any depth, keys included; JSON has no cycle. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

const MAX_TEXTS = 2_000
const MAX_PATH = 4_096
