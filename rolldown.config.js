import { defineConfig } from 'rolldown'

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  external: [/^node:/],
  output: {
    dir: 'dist',
    cleanDir: true,
    entryFileNames: 'main.js',
    format: 'esm',
    banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
  },
})
