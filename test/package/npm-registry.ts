/** A registry on this machine with nothing in it but our package, as `npm run bundles` has made it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import manifest from '../../package.json' with { type: 'json' }
import { paths } from '../../scripts/bundles.mjs'
import { serveLocally } from '../rig/tools/local-server.ts'

export interface NpmRegistry {
  readonly url: string
  /** The paths that npm has asked for. */
  readonly requests: string[]
}

export async function npmRegistry(): Promise<NpmRegistry> {
  const archive = readFileSync(paths.package)
  const requests: string[] = []
  const port = await serveLocally(({ url: path = '' }, response) => {
    requests.push(path)
    if (path === '/package.tgz') return response.end(archive)
    if (path !== `/${manifest.name}`) return response.writeHead(404).end('{}')
    response.end(JSON.stringify(packument(`${url}/package.tgz`, archive)))
  })
  const url = `http://127.0.0.1:${port}`
  return { url, requests }
}

function packument(tarball: string, archive: Buffer): object {
  const { version } = manifest
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  const { devDependencies: _, ...published } = manifest
  const versions = { [version]: { ...published, dist: { tarball, integrity } } }
  return { name: manifest.name, 'dist-tags': { latest: version }, versions }
}
