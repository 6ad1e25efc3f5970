import { expect, test } from 'vitest'
import type { Answer } from '../../../src/approvals/answer.ts'
import { endOf } from '../../../src/approvals/ends/question-end.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { carriers, operator, startSessions, type Sessions } from '../../rig/hubs/sessions.ts'

const bash = (command: string) => tools(use('Bash', { command }))
const options = [
  { label: 'red', description: '' },
  { label: 'blue', description: '' },
]
const colour = tools(
  use('AskUserQuestion', {
    questions: [{ question: 'Which colour?', header: 'Colour', multiSelect: false, options }],
  }),
)
const readByModel = ({ model }: Sessions) => JSON.stringify(model.requests)
const ends = async (sessions: Sessions, sessionId: string) =>
  (await sessions.engine.decisions(operator, { sessionId })).toReversed().map(endOf)

test.each(carriers)(
  '[12] (asked for: 10, 11) a repetition of a denial without a reason is denied, nobody is asked, and the model reads why; by %s',
  async (carrier) => {
    const again = bash('touch asked')
    const main = [again, again, bash('touch other'), again, say('done'), again, say('done')]
    const sessions = await startSessions({ store: 'sqlite', carrier, scenario: { main } })
    const { id } = await sessions.start('go')
    const first = await sessions.question(id)
    await sessions.engine.answer(operator, { approvalId: first.id, approve: false })
    const other = await sessions.question(id)
    expect(other.input).toMatchObject({ command: 'touch other' })
    await sessions.engine.answer(operator, { approvalId: other.id, approve: false, message: 'Use b.' })
    await sessions.settled(id)
    expect(await ends(sessions, id)).toEqual(['denied', 'denied, repeated', 'denied', 'denied, repeated'])
    expect(readByModel(sessions)).toContain('This is a repetition: the very same call was denied')
    const rows = await sessions.store.record.read({ session: id, kind: 'settled', limit: 99 })
    const bodies = rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(bodies.filter(({ end }) => end === 'repeated')).toMatchObject([
      { repeats: first.id, status: 'denied', via: 'rule' },
      { repeats: first.id },
    ])
    // A new prompt may ask for the very call.
    await sessions.supervisor.say(id, 'Do it after all')
    const asked = await sessions.question(id)
    expect(asked.input).toMatchObject({ command: 'touch asked' })
    await sessions.engine.answer(operator, { approvalId: asked.id, approve: true })
    await sessions.settled(id)
  },
)

test('[12] a repetition outlives a crash; an expiry and a denial with a reason are none (asked for: 10)', async () => {
  const main = [bash('touch a'), bash('touch a'), bash('touch b'), bash('touch b'), say('done')]
  const sessions = await startSessions({ store: 'sqlite', scenario: { main } })
  const { id } = await sessions.start('go', {}, { timeoutMs: 600_000 })
  const first = await sessions.question(id)
  await sessions.engine.answer(operator, { approvalId: first.id, approve: false, message: 'Not yet.' })
  const second = await sessions.question(id)
  expect(second.input, 'the reason makes it another case').toMatchObject({ command: 'touch a' })
  await sessions.engine.extend(operator, { approvalId: second.id, seconds: 1 })
  const third = await sessions.event(id, 'approval.opened', 3)
  expect(await ends(sessions, id)).toEqual(['denied', 'expired'])
  expect(readByModel(sessions)).toContain('That is no denial: nobody has decided')
  await sessions.crash()
  await sessions.open()
  await sessions.engine.answer(operator, { approvalId: third.approvalId, approve: false })
  await sessions.settled(id)
  expect((await ends(sessions, id)).slice(2)).toEqual(['denied', 'denied, repeated'])
})

test('(asked for: 11) answered, declined and dismissed are three ends, and the model reads three sentences', async () => {
  const main = [colour, colour, colour, say('done')]
  const sessions = await startSessions({ store: 'sqlite', scenario: { main } })
  const { id } = await sessions.start('go')
  const answers: Answer[] = [{ answers: ['blue'] }, { approve: false }, { dismiss: true }]
  for (const answer of answers) {
    const { id: approvalId } = await sessions.question(id)
    await sessions.engine.answer(operator, { approvalId, ...answer })
  }
  await sessions.settled(id)
  expect(await ends(sessions, id)).toEqual(['answered', 'declined', 'dismissed'])
  const read = readByModel(sessions)
  for (const text of ['blue', 'The answerer declined to answer this', 'That is neither a yes nor a no'])
    expect(read).toContain(text)
})

test('(asked for: 11) what is asked again after an interrupt takes the place of the withdrawn question', async () => {
  const main = [bash('touch a'), bash('touch a'), say('done')]
  const sessions = await startSessions({ store: 'sqlite', scenario: { main } })
  const { id } = await sessions.start('go')
  const first = await sessions.question(id)
  await sessions.engine.interrupt(operator, { sessionId: id })
  expect(await ends(sessions, id)).toEqual(['withdrawn'])
  await sessions.supervisor.say(id, 'continue')
  const again = await sessions.question(id)
  expect(again).toMatchObject({ supersedes: first.id, input: first.input })
  expect(await ends(sessions, id)).toEqual(['superseded'])
  await expect(
    sessions.engine.answer(operator, { approvalId: first.id, approve: true }),
  ).rejects.toMatchObject({ code: 'already_settled', message: expect.stringContaining('superseded') })
  await sessions.engine.answer(operator, { approvalId: again.id, approve: true })
  await sessions.settled(id)
  expect(await ends(sessions, id)).toEqual(['superseded', 'allowed'])
})

test('(asked for: 11) what is asked again by the next process takes the place of the withdrawn question', async () => {
  const main = [bash('touch a'), bash('touch a'), say('done')]
  const sessions = await startSessions({ store: 'memory', scenario: { main } })
  const { id } = await sessions.start('go')
  const first = await sessions.question(id)
  await sessions.engine.stopSession(operator, { sessionId: id })
  await sessions.supervisor.say(id, 'continue')
  const again = await sessions.question(id)
  expect(again.supersedes).toBe(first.id)
  expect(await ends(sessions, id)).toEqual(['superseded'])
  await sessions.engine.answer(operator, { approvalId: again.id, approve: true })
  await sessions.settled(id)
})
