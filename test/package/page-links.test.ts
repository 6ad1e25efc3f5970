import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const PACKED = [
  'README.md',
  'LICENSE',
  'package.json',
  ...manifest.files.filter((file) => !file.startsWith('!')),
]

function pagesIn(path: string): string[] {
  if (!existsSync(join(root, path))) return []
  if (!statSync(join(root, path)).isDirectory()) return path.endsWith('.md') ? [path] : []
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(path, file))
}

/** Links of Markdown that are no address and no place on the page itself. */
function relativeLinks(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link.replace(/#.*/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
}

function isPacked(path: string): boolean {
  return existsSync(join(root, path)) && PACKED.some((part) => path === part || path.startsWith(`${part}/`))
}

test('no page of the package has a link that leads out of it', () => {
  const pages = PACKED.filter((part) => part !== 'dist').flatMap(pagesIn)
  expect(pages.length).toBeGreaterThan(20)
  const dead = pages.flatMap((page) =>
    relativeLinks(page)
      .filter((link) => !isPacked(relative(root, join(root, dirname(page), link))))
      .map((link) => `${page}: ${link}`),
  )
  expect(dead).toEqual([])
})
