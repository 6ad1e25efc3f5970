import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import type { Polled } from '../../rig/clients/loopback.ts'
import { commandsBelow, type Ran, runCommands } from '../../rig/tools/readme.ts'

const PAGE = 'docs/RPC.md'
const BASICS = 'Try it with curl'
const LOOPBACK = 'The loopback API'

async function expectNoFault({ code, errors, results, out, home }: Ran): Promise<void> {
  expect([code, errors]).toEqual([0, expect.not.stringMatching(/curl:|not found/)])
  expect(results).not.toContainEqual({ error: expect.anything() as unknown })
  expect(out).not.toContain((await readFile(join(home, 'plexus-home/operator.token'), 'utf8')).trim())
}

/** Does as it is told, in both sections. */
function obey({ lastUserText, toolResults, body }: ModelRequest): Reply {
  const [, command] = /Run: (.*)/.exec(lastUserText) ?? []
  if (command !== undefined) return tools(use('Bash', { command }))
  if (toolResults.length === 0) return say('Bye.')
  return say(JSON.stringify(body.messages).includes('192.0.2.1') ? 'Your IP is 192.0.2.1.' : 'written')
}

test('R1: the commands of the page for programs, one block after the other, start a session, outlive a kill -9 of the hub, answer its question, and continue with the loopback API', async () => {
  const basics = await commandsBelow(BASICS, PAGE)
  const ran = await runCommands([...basics, ...(await commandsBelow(LOOPBACK, PAGE))], { main: obey })
  await expectNoFault(ran)
  expectBasics(ran)
  expectLoopback({ ...ran, results: ran.results.slice(7) })
  expect(await readFile(join(ran.folder, 'greeting.txt'), 'utf8')).toBe('hello\n')
})

function expectBasics(ran: Ran): void {
  const [created, , waits, pending, answered, done, events] = ran.results
  expect(created).toMatchObject({ name: 'greeter', status: 'idle' })
  expect(waits).toMatchObject([{ status: 'waiting' }])
  expect(pending).toMatchObject([{ toolName: 'Bash', input: { command: 'echo hello > greeting.txt' } }])
  expect(answered).toMatchObject({ status: 'allowed', by: 'operator' })
  expect(done).toMatchObject([{ status: 'done' }])
  const settled = expect.objectContaining({
    event: expect.objectContaining({ type: 'approval.settled' }),
  }) as object
  expect(events).toMatchObject({ events: expect.arrayContaining([settled]) })
  expect(ran.out).toContain('\nhello\n')
}

function expectLoopback(ran: Ran): void {
  const [created, started, needs, asked, allowed, late, ended, done, , , second, other, tree, stopped] =
    ran.results
  const id = expect.any(String) as string
  expect(created).toEqual({ type: 'created', id, head: { tree_id: id, node_id: id } })
  const { id: session_id } = created as { id: string }
  expect(started).toEqual({ type: 'started', session_id })
  const approval = { tool_name: 'Bash', input: { command: 'echo 192.0.2.1 > ip.txt' } }
  expect(needs).toMatchObject({ type: 'ok', approvals: [approval] })
  expect(asked).toMatchObject({
    type: 'ok',
    status: 'awaiting_permission',
    events: expect.arrayContaining([
      { seq: 0, event: expect.objectContaining({ type: 'start', id: session_id }) },
      expect.objectContaining({ event: expect.objectContaining({ type: 'tool_use', tool_name: 'Bash' }) }),
    ]) as unknown[],
    pending_approvals: [approval],
    has_more: false,
  })
  const { pending_approvals } = asked as Polled
  expect(allowed).toMatchObject({ type: 'ok', approval_id: pending_approvals[0]?.id })
  expect(late).toMatchObject({ type: 'error', code: 'already_settled' })
  expect(ended).toMatchObject({ approvals: [], sessions: [{ session_id, status: 'complete' }] })
  expect(done).toMatchObject({ type: 'ok', status: 'complete', turn: 1, pending_approvals: [] })
  expect((done as Polled).events.at(-1)?.event).toMatchObject({
    type: 'complete',
    result: 'Your IP is 192.0.2.1.',
  })
  expect(second).toMatchObject({ turn: 2, status: 'complete' })
  expect((second as Polled).events[0]).toMatchObject({ seq: 0, event: { type: 'start' } })
  expect(other).toMatchObject({ turn: 1, has_more: true, events: [{ seq: 0 }, { seq: 1 }, { seq: 2 }] })
  expect(tree).toMatchObject({ nodes: [{ turn: 1 }, { turn: 2, title: 'Thanks. Say goodbye.' }] })
  expect(stopped).toMatchObject({ type: 'ok', session_id })
  expect(ran.out).toContain('\n192.0.2.1\n')
}

test('the commands of the README use no program that a machine may not have', async () => {
  const programs = ['cat', 'curl', 'cut', 'grep', 'printf', 'sleep']
  for (const program of programs) execFileSync('/bin/sh', ['-c', `command -v ${program}`])
  const all = [...(await commandsBelow(BASICS, PAGE)), ...(await commandsBelow(LOOPBACK, PAGE))]
  expect(all.join('\n')).not.toMatch(/\b(jq|python|node|npx)\b/)
})
