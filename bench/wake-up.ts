import type { Moment } from '../src/sessions/writing/session-writer.ts'
import type { SessionEvent } from '../src/events/session-event.ts'
import { type Figure, inPairs, type Measure } from './harness/figure.ts'
import { ask } from './harness/pending.ts'
import { Reader } from './harness/reader.ts'
import {
  type Hub,
  operator,
  questionOf,
  type Talker,
  toolResultOf,
  withTalkers,
} from './harness/talking-hub.ts'

const SESSIONS = 10

let readAt = 0

export const figure: Figure = {
  id: 'P8',
  title: 'a question that was read until who waits for its session is told, 1,000 pending in 10 others',
  reference: 'the same with 1 pending in 1 other',
  unit: 'ms',
  goal: { max: 1.5 },
  run: () =>
    withTalkers(
      (many, startInMany) =>
        withTalkers(async (few, startInFew) => {
          for (let at = 0; at < SESSIONS; at++) await ask(many, await startInMany(), 1_000 / SESSIONS)
          await ask(few, await startInFew(), 1)
          return inPairs(300, wakeUp(many, await startInMany()), wakeUp(few, await startInFew()))
        }, noteRead),
      noteRead,
    ),
}

function noteRead(moment: Moment, events: readonly SessionEvent[]): void {
  if (moment === 'before-commit' && events.some(({ type }) => type === 'approval.opened'))
    readAt = performance.now()
}

function wakeUp(hub: Hub, talker: Talker): Measure {
  const reader = new Reader(hub, talker.id)
  let asked = 0
  return async () => {
    const name = String(asked++)
    const told = hub.engine.waitFor(operator, { sessionIds: [talker.id], seconds: 50 })
    await talker.say(questionOf(name))
    const [session] = await told
    const took = performance.now() - readAt
    if (session?.status !== 'waiting') throw new Error(`The session is ${session?.status}.`)
    await talker.say(toolResultOf(name))
    await reader.event('tool.finished')
    return took
  }
}
