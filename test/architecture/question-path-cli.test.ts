import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import { question, turn } from '../rig/cli/scripted-lines.ts'
import { operator, startSessions } from '../rig/hubs/sessions.ts'
import { classesThatGet } from '../rig/tools/trace-classes.ts'
import { asCallerId } from '../rig/tools/ids.ts'

const MOST_HOPS = 8
const ROOMS = ['approvals', 'child', 'engine', 'sessions']
const page = readFileSync(join(import.meta.dirname, '../../docs/ASKING.md'), 'utf8')

/** The first column of the table below this heading of docs/ASKING.md. */
function namedBelow(heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? '')
}

/** A trace sees what methods of our classes get: these hold the question without that, or are no class of these rooms. */
const NOT_TRACED = ['SessionRun', 'Store', 'Listener', 'Server']
const traced = (names: readonly string[]) => names.filter((name) => !NOT_TRACED.includes(name)).toSorted()

const HOPS = { control: namedBelow('Hops, carrier control'), mcp: namedBelow('Hops, carrier mcp') }
const ONLOOKERS = namedBelow('Onlookers')

test.each(['control', 'mcp'] as const)('a question by %s takes at most 8 hops', (carrier) => {
  expect(HOPS[carrier].length).toBeGreaterThan(0)
  expect(HOPS[carrier].length).toBeLessThanOrEqual(MOST_HOPS)
})

test('a question by control passes through the objects that ASKING.md names, and no others', async () => {
  const all = await startSessions({ store: 'memory', scenario: { main: [] }, script: turn(...question('q')) })
  const got = await classesThatGet('date', ROOMS)
  const { id } = await all.start('go')
  const { approvalId } = await all.event(id, 'approval.opened')
  await all.engine.answer(operator, { approvalId, approve: true })
  expect(await all.settled(id)).toMatchObject({ status: 'done' })
  expect([...got].toSorted()).toEqual(traced([...HOPS.control, ...ONLOOKERS]))
})

test('a question by mcp passes through the objects that ASKING.md names, and no others', async () => {
  const all = await startSessions({ store: 'memory', scenario: { main: [] } })
  const got = await classesThatGet('date', ROOMS)
  const options = StartOptions.parse({ workingDirectory: all.project, carrier: 'mcp' })
  const { id } = await all.engine.createSession(operator, { options })
  const caller = { id: asCallerId('c'), kind: 'session', name: id, scopes: [], person: false } as const
  const asked = { toolName: 'Bash', input: { command: 'date' }, toolUseId: 't' }
  const decision = all.engine.ask({ caller }, asked, new AbortController().signal)
  const { id: approvalId } = await all.question(id)
  await all.engine.answer(operator, { approvalId, approve: true })
  expect(await decision).toMatchObject({ behavior: 'allow' })
  expect([...got].filter((name) => !ONLOOKERS.includes(name)).toSorted()).toEqual(traced(HOPS.mcp))
})
