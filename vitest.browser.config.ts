import { defineConfig } from 'vitest/config'

/** The page in a real browser, against a real hub; `npm run test:browser` starts it. */
export default defineConfig({
  test: {
    globalSetup: ['test/rig/tools/build-programs.ts'],
    include: [
      'test/browser/**/*.test.ts',
      ...(process.argv.includes('pictures.make') ? ['test/browser/*.make.ts'] : []),
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
  },
})
