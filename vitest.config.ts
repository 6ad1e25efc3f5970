import { defineConfig } from 'vitest/config'
import { sequence } from './test/rig/tools/slow-first.ts'
import { WIDE } from './test/wide.ts'

/** These look at their own process: its memory, its timers, its open files. */
const OWN_PROCESS = [
  'test/text/line-splitter.test.ts',
  'test/engine/wait-until.test.ts',
  'test/faults/limits/many-sessions.test.ts',
  'test/faults/limits/slow-reader.test.ts',
]

// Real processes on two cores: the limits are for a hang, not for slowness.
const all = { testTimeout: 90_000, hookTimeout: 90_000, pool: 'forks' } as const

/** As `npm run test:cli` runs it. */
const isFull = process.env['PLEXUS_ADVERSARY'] === 'full'

/** On the command line, by itself or by its folder. */
const isNamed = (file: string) =>
  process.argv.some((argument) => argument.startsWith('test/') && file.startsWith(argument))

export default defineConfig({
  test: {
    globalSetup: ['test/rig/tools/build-programs.ts'],
    // One more than the cores that CI has: most of the time a test waits for a process.
    maxWorkers: 3,
    sequence,
    projects: [
      {
        // A process takes one file after the other: a new one for each of 180 would load the same modules as often.
        test: {
          ...all,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...OWN_PROCESS, ...WIDE.filter((file) => !isFull && !isNamed(file))],
          isolate: false,
        },
      },
      { test: { ...all, name: 'own process', include: OWN_PROCESS } },
    ],
  },
})
