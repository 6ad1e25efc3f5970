import { defineConfig } from 'rolldown'

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  external: [/^node:/],
  output: { dir: 'dist', entryFileNames: 'main.js', format: 'esm', banner: '#!/usr/bin/env node' },
})
