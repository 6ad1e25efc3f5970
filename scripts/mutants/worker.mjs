/** A process that runs tests: without a mutant to see what they cover, or with one to see whether they notice it. */
import { endTests, loadTests, runAlone } from './test-file.mjs'

/** A test that takes more of the processor is not a fast one. */
const SLOWEST_CPU_MS = 2_000
/** Others may be at work on this machine. */
const LONGEST_WAIT_MS = 15_000

// oxlint-disable-next-line no-underscore-dangle -- Stryker's name for it
const state = (globalThis.__stryker__ = { mutantCoverage: { static: {}, perTest: {} } })

/** What a test file covers, test by test; `load` is what runs before any test. */
async function look({ built }) {
  let tests
  try {
    tests = under('load', () => loadTests(built))
  } catch (error) {
    return { error: String(error) }
  }
  const results = []
  for (const [index, test] of tests.entries()) {
    process.send({ waitMs: LONGEST_WAIT_MS * 2 })
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    state.currentTestId = `test ${index}`
    const { outcome, error } = await runAlone(test, LONGEST_WAIT_MS)
    state.currentTestId = 'between tests'
    const used = process.cpuUsage(cpu)
    const [ms, cpuMs] = [performance.now() - started, (used.user + used.system) / 1000]
    const hits = taken(`test ${index}`)
    if (outcome === 'passed' && cpuMs < SLOWEST_CPU_MS) results.push({ index, ms, cpuMs, hits })
    else
      results.push({
        index,
        name: test.name,
        error: String(error ?? `${outcome}, ${Math.round(cpuMs)} ms`).slice(0, 200),
      })
  }
  await endTests(tests)
  return { load: taken('load'), tests: results }
}

function under(id, action) {
  state.currentTestId = id
  try {
    return action()
  } finally {
    state.currentTestId = undefined
  }
}

function taken(id) {
  const hits = state.mutantCoverage.perTest[id] ?? {}
  state.mutantCoverage.perTest[id] = {}
  return hits
}

/** The first test that notices the mutant decides. */
async function judge({ id, files }) {
  state.activeMutant = id
  try {
    for (const file of files) {
      const verdict = await judgeBy(file)
      if (verdict !== 'survived') return verdict
    }
    return 'survived'
  } finally {
    state.activeMutant = undefined
  }
}

async function judgeBy({ built, tests }) {
  limitHits(100)
  let loaded = []
  try {
    loaded = loadTests(built)
    for (const { index, ms, hits } of tests) {
      limitHits(hits)
      const limitMs = ms * 5 + 2_000
      process.send({ waitMs: limitMs * 2 })
      const test = loaded[index]
      if (!test) return 'killed'
      const { outcome } = await runAlone(test, limitMs)
      if (outcome === 'timeout' || state.hitCount > state.hitLimit) return 'timeout'
      if (outcome === 'failed') return 'killed'
    }
    return 'survived'
  } catch {
    return 'killed'
  } finally {
    await endTests(loaded)
  }
}

/** A mutant that makes a loop endless is reached again and again. */
function limitHits(hits) {
  state.hitCount = 0
  state.hitLimit = hits * 100 + 1_000
}

async function work(job) {
  const answer = job.kind === 'look' ? await look(job) : await judge(job)
  process.send(answer, () => {
    // What still runs of a test that did not end could disturb the next one.
    if (answer === 'timeout') process.exit(0)
  })
}

process.on('message', (job) => void work(job))
process.send('ready')
