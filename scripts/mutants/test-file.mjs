/** One test file in this process: loaded afresh with a mutant switched on, and run test by test. */
import * as processes from 'node:child_process'
import { loadFresh } from './fresh-modules.mjs'
import { endSuites, runTest, testFunctions } from './test-functions.mjs'
import { expect, fastCheck, reset, vi } from './vitest-outside.mjs'

/** A test that needs a process fails at once, and does not count. Only git is quick enough. */
const noProcesses = new Proxy(processes, {
  get:
    (_, name) =>
    (program, ...rest) => {
      if (program !== 'git') throw new Error('No process is started here.')
      return processes[name](program, ...rest)
    },
})

/** @param {string} path @returns {import('./test-functions.mjs').Test[]} */
export function loadTests(path) {
  const { api, tests } = testFunctions()
  const given = new Map([
    ['vitest', { ...api, expect, vi }],
    ['fast-check', fastCheck],
    ['node:child_process', noProcesses],
  ])
  loadFresh(path, given)
  return tests
}

/** Whatever else is wrong by then, it is not the test. */
export const endTests = (tests) => endSuites(tests).catch(() => undefined)

/** @returns {Promise<'passed' | 'failed' | 'timeout'>} and what was thrown */
export async function runAlone(test, milliseconds) {
  const stray = []
  const noteStray = (error) => stray.push(error)
  process.on('unhandledRejection', noteStray)
  process.on('uncaughtException', noteStray)
  const over = new AbortController()
  let timer
  const tooLong = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'timeout')
  })
  try {
    const done = runTest(test, { expect, signal: over.signal, task: { name: test.name } })
    const outcome = await Promise.race([done.then(() => 'passed'), tooLong])
    // A rejection that nobody handles is reported only after the microtasks of its turn.
    await new Promise((resolve) => setImmediate(resolve))
    return stray.length > 0 ? { outcome: 'failed', error: stray[0] } : { outcome }
  } catch (error) {
    return { outcome: 'failed', error }
  } finally {
    clearTimeout(timer)
    over.abort()
    reset()
    process.off('unhandledRejection', noteStray)
    process.off('uncaughtException', noteStray)
  }
}
