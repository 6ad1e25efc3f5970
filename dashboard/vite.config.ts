import { join } from 'node:path'
import { defineConfig } from 'vite'
import { licences } from '../scripts/build/licences.mjs'
import { serviceWorker } from '../scripts/build/service-worker.mjs'

/** The page, as files that the hub serves from its own package. Nothing of it is fetched from elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [licences(), serviceWorker(join(import.meta.dirname, 'worker/service-worker.ts'))],
  build: {
    outDir: join(import.meta.dirname, '../dist/page'),
    emptyOutDir: true,
    target: 'es2022',
    // Small assets as files: a data URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  logLevel: 'warn',
})
