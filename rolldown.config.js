import { defineConfig } from 'rolldown'

/**
 * CommonJS, because Node has it loaded sooner: each module of Node itself costs less to import, and no chunk waits for its turn.
 * A package.json beside it says so, for `dist/main.js` is the name that clients have in their settings.
 */
const asCommonJs = {
  name: 'as-commonjs',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
  },
}

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  external: [/^node:/],
  plugins: [asCommonJs],
  output: {
    dir: 'dist',
    cleanDir: true,
    entryFileNames: 'main.js',
    format: 'cjs',
    banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
  },
})
