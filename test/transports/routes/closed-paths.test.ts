import { expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { closedPathReason, isOnSocketOnly } from '../../../src/transports/routes/closed-paths.ts'
import { CALLERS } from '../../rig/clients/family.ts'

const at = (path: string) => new URL(`http://127.0.0.1${path}`)
const arrival = (port: number | undefined) => ({
  port,
  noteToken: () => {},
  signal: new AbortController().signal,
})

test('the path of our own clients exists on the socket only, and every other path on both', () => {
  expect(isOnSocketOnly(at('/operation'), arrival(4445))).toBe(true)
  expect(isOnSocketOnly(at('/operation'), arrival(undefined))).toBe(false)
  for (const path of ['/rpc', '/operations', '/', '/mcp'])
    expect(isOnSocketOnly(at(path), arrival(4445))).toBe(false)
})

const onlyAsks: Caller = { ...CALLERS.itself, scopes: [] }
const CHILD = 'The token of a child session is not valid for this path.'
const DEVICE = 'The token of a device is for the page only.'

test.each<[path: string, caller: string, who: Caller, reason: string | undefined]>([
  ['/metrics', 'the operator', CALLERS.operator, undefined],
  ['/metrics', 'a client', CALLERS.owner, undefined],
  ['/metrics', 'a nested child', CALLERS.itself, CHILD],
  ['/metrics', 'a child', onlyAsks, CHILD],
  ['/metrics', 'a device', CALLERS['device that operates'], DEVICE],
  ['/events', 'the operator', CALLERS.operator, undefined],
  ['/events', 'a client', CALLERS.stranger, undefined],
  ['/events', 'a nested child', CALLERS.itself, CHILD],
  ['/events', 'a child', onlyAsks, CHILD],
  ['/events', 'a device', CALLERS['device that reads'], undefined],
  ['/events?session=s1', 'the operator', CALLERS.operator, undefined],
  ['/events?session=s1', 'a nested child', CALLERS.itself, undefined],
  ['/events?session=s1', 'a child', onlyAsks, CHILD],
  ['/events?session=s1', 'a device', CALLERS['device that reads'], undefined],
  ['/rpc', 'a nested child', CALLERS.itself, undefined],
  ['/rpc', 'a child', onlyAsks, undefined],
  ['/rpc', 'a device', CALLERS['device that answers'], undefined],
  ['/operation', 'a device', CALLERS['device that operates'], DEVICE],
  ['/mcp', 'a client', CALLERS.owner, undefined],
  ['/mcp', 'a child', onlyAsks, undefined],
  ['/mcp', 'a device', CALLERS['device that operates'], DEVICE],
  ['/mcp/child', 'a device', CALLERS['device that reads'], DEVICE],
  ['/nowhere', 'a device', CALLERS['device that reads'], DEVICE],
])('%s for %s', (path, _, caller, reason) => {
  expect(closedPathReason(caller, at(path))).toBe(reason)
})
