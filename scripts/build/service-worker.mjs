// The service worker of the page: one file, which knows the names of all others, and a hash over them.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** A plugin of Vite that adds `service-worker.js` to the files of the page. */
export function serviceWorker(entry) {
  let publicFolder = ''
  return {
    name: 'service-worker',
    configResolved(config) {
      publicFolder = config.publicDir
    },
    generateBundle: {
      // After the page itself is one of the files.
      order: 'post',
      async handler(_, bundle) {
        const files = [
          ...Object.values(bundle).map((file) => [
            file.fileName,
            file.type === 'asset' ? file.source : file.code,
          ]),
          ...readdirSync(publicFolder).map((name) => [name, readFileSync(join(publicFolder, name))]),
        ]
          .filter(([name]) => !name.endsWith('.txt'))
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
        const shell = {
          paths: files.map(([name]) => (name === 'index.html' ? '/' : `/${name}`)),
          hash: hashOf(files.flat()),
        }
        const code = await workerOf(entry, shell)
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: code })
      },
    },
  }
}

async function workerOf(entry, { paths, hash }) {
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    transform: { define: { SHELL_PATHS: JSON.stringify(paths), SHELL_HASH: JSON.stringify(hash) } },
  })
  // A classic script: not every browser takes a module for a service worker.
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  return output[0].code
}

function hashOf(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex').slice(0, 16)
}
