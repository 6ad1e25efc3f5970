import { expect, test } from 'vitest'
import { isWhole, type KeptRun, tableOf } from '../../scripts/clients-page.mjs'

const one = { name: 'one', title: 'One', version: '1.0', setup: '', at: 0, of: 1 }
const flow = { start: 'ok', question: 'ok', allow: 'ok', deny: 'ok', done: 'FAIL (a | in\nit)' }

test('the runs of a client are one line for each transport, and what has not run says so', () => {
  const rows: KeptRun[] = [
    { ...one, transport: 'HTTP', run: 'flow', refusal: 'it has no HTTP' },
    { ...one, transport: 'stdio', run: 'SIGTERM', cells: { SIGTERM: 'ok' } },
    { ...one, transport: 'stdio', run: 'flow', cells: flow },
  ]
  const [, , stdio, http, ...more] = tableOf(rows).split('\n')
  expect(stdio).toBe('| One (`one`) | 1.0 | stdio | ok | ok | ok | ok | FAIL (a in it) | ok | not run |')
  expect(http).toMatch(/^\| One \(`one`\) \| 1\.0 \| HTTP \| not for this client \(it has no HTTP\) \|/)
  expect(more).toEqual([])
  expect(isWhole(rows)).toBe(false)
})
