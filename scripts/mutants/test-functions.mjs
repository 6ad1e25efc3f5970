/** What tests import from `vitest`, collecting tests that can be run again and again, one at a time. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** @typedef {{ hooks: Record<'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll', Function[]>, isBegun: boolean, parent: Suite | undefined }} Suite */
/** @typedef {{ suite: Suite, name: string, run: (context: object) => unknown }} Test */

const running = new AsyncLocalStorage()

/** `describe`, `test` and the hooks; `tests` grows while a test file is loaded. */
export function testFunctions() {
  const tests = []
  let suite = newSuite(undefined)

  const describe = register((name, body) => {
    const outer = suite
    suite = newSuite(outer)
    try {
      body()
    } finally {
      suite = outer
    }
  })
  const test = register((name, body) => tests.push({ suite, name, run: body }))
  const hook = (kind) => (body) => suite.hooks[kind].push(body)
  const api = {
    describe,
    suite: describe,
    test,
    it: test,
    beforeAll: hook('beforeAll'),
    beforeEach: hook('beforeEach'),
    afterEach: hook('afterEach'),
    afterAll: hook('afterAll'),
    onTestFinished: (body) => running.getStore().push(body),
    onTestFailed: () => undefined,
  }
  return { api, tests }
}

export async function runTest(test, context) {
  const finished = []
  const suites = suitesOf(test.suite)
  await running.run(finished, async () => {
    try {
      for (const suite of suites) await begin(suite)
      for (const hook of suites.flatMap(({ hooks }) => hooks.beforeEach)) {
        const undo = await hook(context)
        if (typeof undo === 'function') finished.push(undo)
      }
      await test.run(context)
    } finally {
      const after = suites.flatMap(({ hooks }) => hooks.afterEach)
      for (const hook of [...after.toReversed(), ...finished.splice(0).toReversed()]) await hook(context)
    }
  })
}

/** To be called when no further test of the file is run. */
export async function endSuites(tests) {
  const begun = new Set(tests.flatMap(({ suite }) => suitesOf(suite)).filter(({ isBegun }) => isBegun))
  for (const { hooks } of [...begun].toReversed()) for (const hook of hooks.afterAll) await hook()
}

async function begin(suite) {
  if (suite.isBegun) return
  suite.isBegun = true
  for (const hook of suite.hooks.beforeAll) await hook()
}

const newSuite = (parent) => ({
  hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] },
  isBegun: false,
  parent,
})

/** The outermost first. */
const suitesOf = (suite) => (suite ? [...suitesOf(suite.parent), suite] : [])

const skip = Object.assign(() => undefined, { each: () => () => undefined })

/** With the forms `name(title, body)`, `name(title, options, body)` and the modifiers that the tests use. */
function register(add) {
  const call = (title, ...rest) => {
    const body = rest.find((value) => typeof value === 'function')
    const options = rest.find((value) => value && typeof value === 'object')
    if (body && !options?.skip && !options?.todo) add(title, body)
  }
  const each =
    (cases) =>
    (title, ...rest) => {
      // As Vitest does: an array among other values is a value.
      const isRows = cases.every(Array.isArray)
      for (const values of cases)
        call(
          title,
          ...rest.map((value) =>
            typeof value === 'function' ? () => (isRows ? value(...values) : value(values)) : value,
          ),
        )
    }
  return Object.assign(call, {
    each,
    skip,
    todo: skip,
    concurrent: call,
    sequential: call,
    runIf: (condition) => (condition ? call : skip),
    skipIf: (condition) => (condition ? skip : call),
  })
}
