// The part of the build that writes dist/LICENSES.txt: the licence of every package whose code is in ours.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADDON_PACKAGE } from './sqlite-addons.mjs'

const packages = join(import.meta.dirname, '../../node_modules')
/** Compiled into the addon; SQLite itself is in the public domain. */
const IN_ADDON = [ADDON_PACKAGE, 'node-addon-api']

export const licences = {
  name: 'licences',
  generateBundle() {
    const bundled = [...this.getModuleIds()].flatMap((id) => packageOf(id) ?? [])
    const names = [...new Set([...bundled, ...IN_ADDON])].toSorted((a, b) => a.localeCompare(b))
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: names.map(licenceOf).join('\n') })
  },
}

/** Undefined for a module of ours. */
function packageOf(id) {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]
}

function licenceOf(name) {
  const folder = join(packages, name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  if (!file) throw new Error(`${name} is in our package and has no licence file; say where its licence is.`)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}
