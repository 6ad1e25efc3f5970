import { expect, test } from 'vitest'
import type { CallContext } from '../../../src/engine/engine.ts'
import { endOf } from '../../../src/approvals/ends/question-end.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { operator, startSessions } from '../../rig/hubs/sessions.ts'

const touch = (name: string) => use('Bash', { command: `touch ${name}` })
const at = (via: 'command_line' | 'rpc', person = true): CallContext => ({
  caller: { ...operator.caller, via, person },
})
const person = at('command_line')
const commands = (asked: readonly { input: Readonly<Record<string, unknown>> }[]) =>
  asked.map(({ input }) => input['command'] ?? 'held back')

const agent = (name: string) =>
  use('Agent', { description: name, prompt: `the task of ${name}`, subagent_type: 'general-purpose' })

/** Sub-agents ask at once: five questions of one session. */
async function flooded() {
  const names = ['a', 'b', 'c', 'd', 'e']
  const sessions = await startSessions({
    store: 'sqlite',
    flood: { perTurn: 2, perMinute: 100 },
    scenario: {
      main: [tools(...names.map(agent)), say('done')],
      agents: Object.fromEntries(
        names.map((name) => [`the task of ${name}`, [tools(touch(name)), say(name)]]),
      ),
    },
  })
  const { id } = await sessions.start('go', { allowedTools: ['Agent'] })
  await sessions.event(id, 'approval.opened', names.length + 1)
  return { sessions, id }
}

test('[13] of a flood a person sees two questions and one for the rest; models and scripts see all; shown, they appear one by one, by the next hub too', async () => {
  const { sessions, id } = await flooded()
  const open = async (call = person) => sessions.engine.pending(call, { sessionId: id })
  expect(commands(await open(at('rpc')))).not.toContain('held back')
  expect(await open(at('rpc'))).toHaveLength(5)
  expect(await open(at('rpc', false))).toHaveLength(5)
  const [first, second, flood, ...others] = await open()
  expect(others).toEqual([])
  expect(flood?.questions[0]).toMatchObject({
    question: '3 more questions are waiting: show them, or deny them all?',
    options: ['show', 'deny them all'],
  })
  const flooding = flood?.id ?? ''
  const held = (await open(at('rpc'))).filter((question) => question.held)
  await expect(
    sessions.engine.answer(person, { approvalId: held[1]?.id ?? '', approve: true }),
  ).rejects.toThrow('held back')
  await expect(sessions.engine.answer(person, { approvalId: flooding, approve: true })).rejects.toThrow(
    'nothing allows all of them',
  )
  await expect(
    sessions.engine.answer(at('rpc', false), { approvalId: flooding, answers: ['show'] }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await sessions.crash()
  await sessions.open()
  expect((await open()).map((question) => question.id)).toEqual([first?.id, second?.id, flooding])
  await sessions.engine.answer(person, { approvalId: flooding, answers: ['show'] })
  for (const next of held) {
    const shown = await open()
    expect(shown.map((question) => question.id)).toEqual([first?.id, second?.id, next.id])
    await sessions.engine.answer(person, { approvalId: next.id, approve: true })
  }
  for (const one of [first, second])
    await sessions.engine.answer(person, { approvalId: one?.id ?? '', approve: true })
  expect(await sessions.settled(id)).toMatchObject({ status: 'done' })
})

test('[13] denied, each of a flood is denied with its own row, and the model reads that it asked too often', async () => {
  const { sessions, id } = await flooded()
  const open = await sessions.engine.pending(person, { sessionId: id })
  const flood = open.find((question) => question.flood)
  await sessions.engine.answer(person, { approvalId: flood?.id ?? '', approve: false })
  const decided = await sessions.engine.decisions(operator, { sessionId: id })
  expect(decided.map(endOf).toSorted()).toEqual(['declined', ...Array<string>(3).fill('denied, with others')])
  const rows = await sessions.store.record.read({ session: id, kind: 'settled', limit: 99 })
  expect(rows.filter(({ body }) => body.includes('"end":"with others"'))).toHaveLength(3)
  for (const one of open)
    if (!one.flood) await sessions.engine.answer(person, { approvalId: one.id, approve: true })
  await sessions.settled(id)
  expect(JSON.stringify(sessions.model.requests)).toContain('a person denied all that waited')
  expect(await sessions.engine.pending(operator, { sessionId: id })).toEqual([])
})
