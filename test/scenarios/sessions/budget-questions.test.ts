/** The question at 80 % of a budget, with the real CLI: put once, answered by whoever started the tree, and it stops nothing. */
import { describe, expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import { OPERATOR, startEngine } from '../../rig/hubs/engines.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const call = { caller: OPERATOR }
const touch = (name: string) => tools(use('Bash', { command: `touch ${name}` }))
const four = ['a', 'b', 'c', 'd'].map(touch)
/** Nobody has allowed this, so the session waits for an answer, and stays at work. */
const asking = tools(use('Bash', { command: 'mv a moved' }))

async function spender(main: Reply[], budget: object = { toolCalls: 6 }) {
  const rig = await startEngine('here on sqlite', { main })
  const session = await rig.engine.createSession(call, {
    options: StartOptions.parse({
      workingDirectory: rig.project,
      allowedTools: ['Bash(touch *)'],
      budget,
    }),
    content: 'make them',
  })
  const sessionId = rig.track(session).id
  const open = () => rig.engine.pending(call, { sessionId })
  const ofKind = (kind: string) =>
    eventually(async () => {
      const found = (await open()).find((question) => question.kind === kind)
      if (!found) throw new Error('It is not asked yet.')
      return found
    })
  const [asked, toolAsked] = [() => ofKind('budget'), () => ofKind('tool')]
  const events = async () =>
    (await rig.engine.readEvents(call, { sessionId, limit: 1_000 })).events.map(({ event }) => event)
  const settled = async (id: string) => (await rig.engine.getApproval(call, { approvalId: id })).status
  return { rig, sessionId, open, asked, toolAsked, events, settled }
}

describe('at 80 % (asked for: 4)', () => {
  test('the question is put once, with figures, beside a question of the child, and a raise counts', async () => {
    const { rig, sessionId, open, asked, toolAsked, events } = await spender([...four, asking, say('done')])
    const question = await asked()
    await eventually(async () =>
      expect((await open()).map(({ kind }) => kind).toSorted()).toEqual(['budget', 'tool']),
    )
    expect(question.questions[0]).toMatchObject({
      question: expect.stringContaining('have used 5 of 6 tool calls') as unknown,
      options: ['raise to 9 tool calls', 'raise to 12 tool calls', 'continue', 'stop'],
    })
    await expect(
      rig.engine.answer(call, { approvalId: question.id, answers: ['raise to 6'] }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('above 6 tool calls') as unknown,
    })
    const answered = await rig.engine.answer(call, { approvalId: question.id, answers: ['raise to 20'] })
    expect(answered).toMatchObject({ status: 'allowed', decision: { action: 'raise', limit: 20 } })
    expect((await rig.engine.costs(call, { sessionId })).session?.budget).toEqual({ toolCalls: 20 })
    await rig.engine.answer(call, { approvalId: (await toolAsked()).id, approve: true })
    const [over] = await rig.engine.waitFor(call, { sessionIds: [sessionId], seconds: 30 })
    expect(over).toMatchObject({ status: 'done', budget: { toolCalls: 20 } })
    const all = await events()
    expect(all.filter(({ type }) => type === 'budget.low')).toHaveLength(1)
    expect(all.filter((event) => event.type === 'approval.opened' && event.kind === 'budget')).toHaveLength(1)
  })

  test('it does not stop the work, and is withdrawn when the work ends', async () => {
    const { rig, sessionId, asked, toolAsked, settled } = await spender(
      [...four, touch('e'), asking, say('done')],
      {
        toolCalls: 7,
      },
    )
    const { id } = await asked()
    await rig.engine.answer(call, { approvalId: (await toolAsked()).id, approve: true })
    await eventually(async () => expect(await settled(id)).toBe('withdrawn'))
    expect(await rig.engine.getSession(call, { sessionId })).toMatchObject({ status: 'done' })
  })

  test('continue is an answer for this limit: nobody is asked again, and at 100 % it ends', async () => {
    const more = ['f', 'g', 'h'].map(touch)
    const { rig, sessionId, asked, toolAsked, events } = await spender([
      ...four,
      asking,
      ...more,
      say('done'),
    ])
    const { id } = await asked()
    await rig.engine.answer(call, { approvalId: id, approve: true })
    await rig.engine.answer(call, { approvalId: (await toolAsked()).id, approve: true })
    const [over] = await rig.engine.waitFor(call, { sessionIds: [sessionId], seconds: 30 })
    expect(over).toMatchObject({ status: 'interrupted', error: { code: 'over_budget' } })
    const opened = (await events()).filter(
      (event) => event.type === 'approval.opened' && event.kind === 'budget',
    )
    expect(opened).toHaveLength(1)
  })

  test('stop ends the tree; a prompt resumes it', async () => {
    const { rig, sessionId, asked } = await spender([...four, asking, say('back')])
    const { id } = await asked()
    const answered = await rig.engine.answer(call, { approvalId: id, approve: false })
    expect(answered).toMatchObject({ status: 'denied', decision: { action: 'stop' } })
    await eventually(async () =>
      expect(await rig.engine.getSession(call, { sessionId })).toMatchObject({
        status: 'interrupted',
        stopped: true,
        mustStop: false,
      }),
    )
    await rig.engine.startTurn(call, { sessionId, content: 'go' })
    const [over] = await rig.engine.waitFor(call, { sessionIds: [sessionId], seconds: 30 })
    expect(over).toMatchObject({ status: 'done' })
  })

  test('a raise by another way withdraws it', async () => {
    const { rig, sessionId, asked, settled } = await spender([...four, asking, say('done')])
    const { id } = await asked()
    await rig.engine.setBudget(call, { sessionId, budget: { toolCalls: 30 } })
    expect(await settled(id)).toBe('withdrawn')
    await expect(rig.engine.answer(call, { approvalId: id, answers: ['continue'] })).rejects.toMatchObject({
      code: 'already_settled',
    })
  })
})
