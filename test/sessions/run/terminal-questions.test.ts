import { expect, test } from 'vitest'
import { Doorbells } from '../../../src/sessions/record/session-doorbells.ts'
import { SessionWriter } from '../../../src/sessions/writing/session-writer.ts'
import { TerminalQuestions } from '../../../src/sessions/run/terminal-questions.ts'
import type { PriorDecision } from '../../../src/child/lines/request-to-events.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession } from '../../contracts/rows.ts'
import { allow, opened, settled } from '../../rig/cli/event-stories.ts'

const ASKED = { ...opened('1', 'tool-1'), carrier: 'terminal' } as const
const { approvalId } = ASKED

async function terminal({
  decided,
  to = 'terminal',
}: { decided?: PriorDecision; to?: 'terminal' | 'command' } = {}) {
  const store = await openMemoryStore()
  const session = aSession()
  await store.sessions.create(session)
  const writer = await SessionWriter.open({ store, doorbells: new Doorbells(), now: () => 5 }, session)
  await writer.append([{ type: 'session.handed_over', to, pid: 7, startedAt: 't' }])
  const questions = new TerminalQuestions(writer, () => decided)
  const events = async () => (await store.events.read(session.id, 1, 99)).map(({ event }) => event.type)
  return { store, writer, questions, events }
}

test('a question of a terminal is open until it is answered here or ends there', async () => {
  const { questions, writer, events } = await terminal()
  await questions.open(ASKED)
  await questions.open(ASKED)
  expect([questions.outcomeOf(approvalId), await events()]).toEqual(['open', ['approval.opened']])
  await writer.append([settled('1', allow)])
  expect(questions.outcomeOf(approvalId)).toEqual({ decision: allow })
  await questions.end(approvalId, 'answered in the terminal')
  expect(await events()).toEqual(['approval.opened', 'approval.settled'])
})

test('one that was answered there is withdrawn here, with how it ended', async () => {
  const { questions, store, events } = await terminal()
  await questions.open(ASKED)
  await questions.end(approvalId, 'answered in the terminal')
  expect(questions.outcomeOf(approvalId)).toBe('over')
  expect(await store.approvals.get(approvalId)).toMatchObject({
    status: 'withdrawn',
    end: 'answered in the terminal',
  })
  await questions.end(approvalId, 'left to the terminal')
  await questions.noteHook(approvalId)
  expect(await events()).toEqual(['approval.opened', 'approval.settled', 'terminal.hook_found'])
})

test('one that a rule decides is answered as it is asked', async () => {
  const verdict = { effect: 'allow', drawer: 'rules', ruleId: 'r' } as const
  const { questions, store } = await terminal({ decided: { by: 'rule', verdict } })
  await questions.open(ASKED)
  expect(questions.outcomeOf(approvalId)).toMatchObject({ decision: { behavior: 'allow' } })
  expect(await store.approvals.get(approvalId)).toMatchObject({ status: 'allowed', verdict })
})

test('nothing is asked for a process that is no terminal', async () => {
  const { questions, events } = await terminal({ to: 'command' })
  await questions.open(ASKED)
  expect([questions.outcomeOf(approvalId), await events()]).toEqual(['over', []])
})

test('an answer that the relay has taken is sent, and the question is over; one without an answer stays open', async () => {
  const { questions, writer, store } = await terminal()
  await questions.open(ASKED)
  await questions.noteReturned(approvalId)
  expect(questions.outcomeOf(approvalId)).toBe('open')
  await writer.append([settled('1', allow)])
  await questions.noteReturned(approvalId)
  expect(questions.outcomeOf(approvalId)).toBe('over')
  expect(await store.approvals.get(approvalId)).toMatchObject({ status: 'allowed', delivery: 'sent' })
})
