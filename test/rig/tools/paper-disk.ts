/** A disk on paper: files with their text, folders, and links, by absolute path. */
import { dirname, join, resolve } from 'node:path'
import type { FileLookup } from '../../../src/shell/path-bounds.ts'

export type PaperEntry = string | { readonly link: string }

/** The folders above each entry exist too. A path that ends with `/` is an empty folder. */
export function paperDisk(entries: Readonly<Record<string, PaperEntry>>): FileLookup {
  const plain = new Map(Object.entries(entries).filter(([path]) => !path.endsWith('/')))
  const folders = new Set(Object.keys(entries).flatMap((path) => foldersAbove(path)))
  const exists = (path: string) => folders.has(path) || plain.has(path)
  const realPath = (path: string): string | undefined => {
    let current = '/'
    for (const name of path.split('/')) {
      if (!folders.has(current)) return undefined
      const next = join(current, name)
      const entry = plain.get(next)
      const real = typeof entry === 'object' ? realPath(resolve(current, entry.link)) : next
      if (real === undefined || !exists(real)) return undefined
      current = real
    }
    return current
  }
  const text = (path: string) => {
    const entry = plain.get(realPath(path) ?? '')
    return typeof entry === 'string' ? entry : undefined
  }
  const names = (folder: string) =>
    folders.has(folder)
      ? [...folders, ...plain.keys()]
          .filter((path) => path !== '/' && dirname(path) === folder)
          .map((path) => path.slice(path.lastIndexOf('/') + 1))
      : undefined
  const hasBytes = (path: string, bytes: readonly number[]) => {
    const content = text(path)
    return content === undefined ? undefined : Buffer.from(content, 'latin1').includes(Buffer.from(bytes))
  }
  return { realPath, text, names, hasBytes, hasEntry: exists }
}

function foldersAbove(path: string): string[] {
  const above = path.endsWith('/') ? path.slice(0, -1) || '/' : dirname(path)
  return above === '/' ? ['/'] : [above, ...foldersAbove(above)]
}
