import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PAGE } from './start-page.ts'

/** A file of the page. It is the same for everybody, so it needs no token. */
interface PageFile {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export type PageFiles = (path: string) => PageFile | undefined

/** Nothing from elsewhere, nothing inline, nothing in a frame, and no text that becomes markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The page names one script by itself, its service worker.
  'trusted-types plexus-worker',
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/** The built page beside this program; where it was not built, a plain page that says what this is. */
export function builtPage(folder = fileURLToPath(new URL('page', import.meta.url))): PageFiles {
  let files: ReadonlyMap<string, PageFile> | undefined
  // Read at the first request and kept: a few small files, and an upgrade of the package must not mix two versions.
  return (path) => (files ??= filesIn(folder)).get(path)
}

function filesIn(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map([['/', fileOf('/index.html', PAGE)]])
  for (const name of namesIn(folder)) {
    const path = `/${name.split(sep).join('/')}`
    if (TYPES[extname(path)] === undefined) continue
    files.set(path === '/index.html' ? '/' : path, fileOf(path, readFileSync(join(folder, name), 'utf8')))
  }
  return files
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}

export function fileOf(path: string, body: string): PageFile {
  // The name of an asset changes with its content.
  const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  const type = TYPES[extname(path)] ?? 'text/plain'
  return { body, headers: { ...HEADERS, 'content-type': type, 'cache-control': caching } }
}
