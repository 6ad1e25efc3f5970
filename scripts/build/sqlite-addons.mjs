// The part of the build that puts SQLite for versions of Node without it into our package, so that it needs no other.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package of the addons, and what is compiled into them; SQLite itself is in the public domain. */
export const ADDON_PACKAGES = ['@photostructure/sqlite', 'node-addon-api']
const prebuilds = join(import.meta.dirname, '../../node_modules', ADDON_PACKAGES[0], 'prebuilds')

/** Below `dist/sqlite`, by the names that they have in their package; on macOS there is one for both kinds of libc. */
export const ADDONS = [
  'linux-x64/@photostructure+sqlite.glibc.node',
  'linux-x64/@photostructure+sqlite.musl.node',
  'linux-arm64/@photostructure+sqlite.glibc.node',
  'linux-arm64/@photostructure+sqlite.musl.node',
  'darwin-x64/@photostructure+sqlite.glibc.node',
  'darwin-arm64/@photostructure+sqlite.glibc.node',
]

/** Fails when one of them is not there: nobody could run what would be published then. */
export const sqliteAddons = {
  name: 'sqlite-addons',
  generateBundle() {
    for (const file of ADDONS)
      this.emitFile({
        type: 'asset',
        fileName: `sqlite/${file}`,
        source: readFileSync(join(prebuilds, file)),
      })
  },
}
