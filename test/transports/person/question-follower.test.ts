import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { OpenForms } from '../../../src/transports/person/open-forms.ts'
import { QuestionFollower } from '../../../src/transports/person/question-follower.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { aPlace, aQuestion, QuestionEngine } from '../../rig/clients/question-engine.ts'

const OPENED = { type: 'approval.opened', approvalId: 'q1' } as SessionEvent
const TEXT: SessionEvent = { type: 'text', text: 'Hi.' }

/** A connection whose person cancels each form, unless `isSilent`. */
function aConnection({ hasStream = true, isSilent = false, questions = [aQuestion()] } = {}) {
  const hub = new QuestionEngine(...questions)
  const stream = new AbortController()
  const streams = hasStream ? [stream.signal] : []
  const shown: { message: string; signal: AbortSignal }[] = []
  const follower = new QuestionFollower({
    engine: hub.engine,
    caller: CALLERS.owner,
    forms: new OpenForms(hub.engine),
    put: ({ message }, signal) => {
      shown.push({ message, signal })
      return isSilent ? new Promise(() => {}) : Promise.resolve({ action: 'cancel' })
    },
    stream: () => streams[0],
  })
  onTestFinished(() => follower.close())
  const follow = async (...sessionIds: string[]) => {
    for (const sessionId of sessionIds) follower.follow(sessionId, 3, aPlace())
    await nextTurn()
  }
  const emit = async (...events: SessionEvent[]) => {
    hub.emit(...events)
    await nextTurn()
  }
  const listened = (sessionId: string) =>
    hub.followed.filter((one) => one.sessionId === sessionId && one.after === 3)
  return { hub, stream, streams, shown, follower, follow, emit, listened }
}

test('questions from before and new ones are put one after the other, and none twice', async () => {
  const { hub, shown, follow, emit, listened } = aConnection({
    questions: [aQuestion(), aQuestion({ id: 'q2' })],
  })
  await follow('s1')
  expect(shown.map(({ message }) => /echo (\w+)/.exec(message)?.[1])).toEqual(['q1', 'q2'])
  expect(listened('s1')).toHaveLength(1)
  hub.open.push(aQuestion({ id: 'q3' }))
  await emit(TEXT)
  expect(shown).toHaveLength(2)
  await emit(TEXT, OPENED)
  expect(shown).toHaveLength(3)
  await emit(OPENED)
  expect(shown).toHaveLength(3)
})

test('only one form is open at a time', async () => {
  const questions = [aQuestion(), aQuestion({ id: 'q2' })]
  const { shown, follow } = aConnection({ questions, isSilent: true })
  await follow('s1')
  expect(shown).toHaveLength(1)
})

test('nothing is put without a stream to carry it, or where forms are off', async () => {
  const { stream, streams, shown, follow, emit } = aConnection({ hasStream: false })
  await follow('s1')
  expect(shown).toEqual([])
  streams.push(stream.signal)
  await emit(OPENED)
  expect(shown).toHaveLength(1)
  const forTheModel = aConnection()
  forTheModel.follower.follow('s1', 3, aPlace({ ask: 'model' }))
  await nextTurn()
  expect(forTheModel.shown).toEqual([])
})

test('a form is withdrawn when its stream ends, or the connection', async () => {
  for (const end of ['stream', 'connection']) {
    const { stream, shown, follower, follow } = aConnection({ isSilent: true })
    await follow('s1')
    expect(shown[0]?.signal.aborted).toBe(false)
    if (end === 'stream') stream.abort()
    else follower.close()
    expect(shown[0]?.signal.aborted).toBe(true)
  }
})

test('a session is followed once, and not at all when the connection is closed', async () => {
  const { follower, follow, listened } = aConnection()
  await follow('s1', 's1')
  expect(listened('s1')).toHaveLength(1)
  expect(listened('s1')[0]?.signal?.aborted).toBe(false)
  follower.close()
  expect(listened('s1')[0]?.signal?.aborted).toBe(true)
  await follow('s2')
  expect(listened('s2')).toEqual([])
})

test('a connection that closes while the questions are read is asked nothing', async () => {
  const { shown, follower } = aConnection()
  follower.follow('s1', 3, aPlace())
  follower.close()
  await nextTurn()
  expect(shown).toEqual([])
})

test('a session whose hub was lost is followed again by a later call', async () => {
  const { hub, follow, listened } = aConnection()
  hub.lost = new Error('The hub is gone.')
  await follow('s1')
  hub.lost = undefined
  await follow('s1')
  expect(listened('s1')).toHaveLength(2)
})

test('only the latest 32 sessions are followed; one that comes back is followed like a new one', async () => {
  const { follow, listened } = aConnection()
  const others = Array.from({ length: 32 }, (_, at) => `s-${at}`)
  await follow('s1', ...others.slice(1))
  expect(listened('s1')[0]?.signal?.aborted).toBe(false)
  const evicting = follow(...others.slice(0, 1), 's1')
  expect(listened('s1')[0]?.signal?.aborted).toBe(true)
  await evicting
  await follow('s1')
  expect(listened('s1')).toHaveLength(2)
})
