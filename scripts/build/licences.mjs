// The part of a build that writes LICENSES.txt: the licence of every package whose code is in it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '../../node_modules')

/** Besides what is bundled, of these packages: those whose files are copied. */
export const licences = (...copied) => ({
  name: 'licences',
  generateBundle() {
    const bundled = [...this.getModuleIds()].flatMap((id) => packageOf(id) ?? [])
    const names = [...new Set([...bundled, ...copied])].toSorted((a, b) => a.localeCompare(b))
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: names.map(licenceOf).join('\n') })
  },
})

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
