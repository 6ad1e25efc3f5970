/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope

/** Written into this file by the build: all files of the page, and a hash over them. */
declare const SHELL_PATHS: readonly string[]
declare const SHELL_HASH: string

const PREFIX = 'plexus-shell-'
/** Changes with every build, so that no two builds are ever mixed. */
const NAME = `${PREFIX}${SHELL_HASH}`

/** Takes all files of the page, or none. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(NAME)
  await cache.addAll(SHELL_PATHS.map((path) => new Request(path, { cache: 'reload' })))
  await self.skipWaiting()
}

export async function dropOlderShells(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name)
  await self.clients.claim()
}

/**
 * The answer to a request for a file of the page; undefined for everything else, which the browser sends to the hub as without
 * a service worker: calls, events and sign-ins are never kept.
 */
export function shellResponse(request: Request): Promise<Response> | undefined {
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || !SHELL_PATHS.includes(pathname))
    return undefined
  return pathname === '/' ? fromHubFirst(request) : fromCacheFirst(request, pathname)
}

/** The page itself is asked for each time, so that a new build is seen; only without a hub it is the kept one. */
async function fromHubFirst(request: Request): Promise<Response> {
  const fresh = await fetch(request).catch(() => undefined)
  if (fresh && fresh.status < 500) return fresh
  return (await kept('/')) ?? fresh ?? Response.error()
}

/** Its other files have names that change with their content, or hardly ever change. */
async function fromCacheFirst(request: Request, path: string): Promise<Response> {
  return (await kept(path)) ?? fetch(request)
}

async function kept(path: string): Promise<Response | undefined> {
  return (await caches.open(NAME)).match(path)
}
