/** What was decided can be read afterwards, in both families: by whom, when, from which level, and what it was about. */
import { expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { Approval } from '../../../src/approvals/approval.ts'
import { aParent } from '../../rig/clients/mcp-parent.ts'

const touch = (name: string) => tools(use('Bash', { command: `touch ${name}` }))

interface Listed {
  readonly decisions: readonly ({ readonly id: string } & Record<string, unknown>)[]
}

test('S45: a decision is listed with who, what, when and from which level, and its question is found by its id', async () => {
  const parent = await aParent([touch('one'), touch('two'), touch('three'), say('done')])
  const { hub, client } = parent
  const { sessionId } = await parent.start('go', { name: 'maker', waitSeconds: 0 })
  const first = await parent.question(sessionId)
  await parent.respond(sessionId, first.id, ['allow'], { updatedInput: { command: 'touch other' } })
  const second = await parent.question(sessionId)
  await parent.respond(sessionId, second.id, ['deny'], { message: 'Not this one.' })
  const third = await parent.question(sessionId)

  const denied = {
    id: second.id,
    status: 'denied',
    by: 'operator',
    via: 'tool',
    level: 'owner',
    message: 'Not this one.',
  }
  const allowed = { id: first.id, status: 'allowed', edited: true, delivery: 'acknowledged' }
  const asks = { toolName: 'Bash', line: expect.stringContaining('touch two') }
  const last = await client.call<StatusView & Listed>('claude_status', { sessionId, decisions: 'last' })
  expect(last).toMatchObject({ status: 'awaiting_input', decisions: [{ ...denied, ...asks }, allowed] })
  expect(Date.parse(String(last.decisions[0]?.['settledAt']))).toBeGreaterThan(0)
  const one = await client.call<Listed>('claude_status', { sessionId, decisions: third.id })
  expect(one.decisions).toMatchObject([{ status: 'pending', input: { command: 'touch three' } }])

  const b = (params: object) => hub.call<Listed>('loopback.decisions', params)
  expect(await b({ session_id: sessionId })).toMatchObject({
    type: 'ok',
    decisions: [
      { ...denied, session_name: 'maker', tool_name: 'Bash', settled_at: expect.any(Number) },
      allowed,
    ],
  })
  const page = await b({ limit: 1 })
  expect(page.decisions.map(({ id }) => id)).toEqual([second.id])
  expect((await b({ before: second.id })).decisions.map(({ id }) => id)).toEqual([first.id])
  expect(await b({ approval_id: first.id })).toMatchObject({
    decisions: [{ input: { command: 'touch one' }, decision: { updatedInput: { command: 'touch other' } } }],
  })
  expect(await b({ before: 'none' })).toMatchObject({ type: 'error', code: 'not_found' })

  const { message, ...row } = denied
  const stored = { ...row, decision: { message } }
  expect(await hub.call<Approval>('getApproval', { approvalId: second.id })).toMatchObject(stored)
  expect(await hub.call<Approval[]>('decisions', { sessionId })).toMatchObject([stored, { id: first.id }])
})
