import { effect } from '@preact/signals'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { FeedStep } from '../../../src/events/event-feed.ts'
import {
  isExpiring,
  isForPerson,
  type Notice,
  noticeOfEnd,
  noticeOfExpiry,
  noticeOfQuestion,
} from '../../../src/notices/notice.ts'
import { connection, hub } from '../hub/connection.ts'
import { onStep, questions, sessions } from '../hub/hub-state.ts'
import { shareWithWorker } from '../hub/device-token.ts'
import { chosen, readChoice } from './notice-choice.ts'
import { postToWorker } from './register-worker.ts'

const CHECK_MS = 5_000

/** Shows notices of this page while nobody sees it, without any push service. What is shown once is decided by the worker. */
export function watchNotices(): () => void {
  shareWithWorker()
  let known = new Set<string>()
  let hasRead = false
  const ends = [
    effect(() => {
      if (connection.value === 'live') readChoice().catch(() => {})
    }),
    effect(() => {
      const open = questions.value
      if (open === undefined || chosen.value === undefined) return
      const tags = open.map(({ id }) => String(id))
      for (const gone of known) if (!tags.includes(gone)) post({ type: 'withdraw', tag: gone })
      if (!hasRead) post({ type: 'open questions', tags })
      hasRead = true
      for (const question of open) if (!known.has(question.id)) void announce(question, noticeOfQuestion)
      known = new Set(tags)
    }),
    onStep((step) => void announceEnd(step)),
  ]
  const timer = setInterval(() => {
    // Nothing is shown while the page is seen, or where no notice is switched on.
    if (!document.hidden || !chosen.peek()?.reasons.length) return
    for (const question of questions.peek() ?? []) {
      const { expiresAt } = question
      // A model may have left it open meanwhile; the worker shows each once.
      void announce(question, noticeOfQuestion)
      if (expiresAt !== undefined && isExpiring(question, Date.now()))
        void announce({ ...question, expiresAt }, noticeOfExpiry)
    }
  }, CHECK_MS)
  document.addEventListener('visibilitychange', onVisible)
  onVisible()
  return () => {
    for (const end of ends) end()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

function onVisible(): void {
  if (!document.hidden) post({ type: 'seen' })
  // Another tab may have changed it.
  else readChoice().catch(() => {})
}

async function announce<Q extends PendingQuestion>(
  question: Q,
  noticeOf: (session: { id: string; name?: string | undefined }, asked: Q) => Notice,
): Promise<void> {
  const { sessionId } = question
  const listed = sessions.peek()?.find(({ id }) => id === sessionId)
  const session =
    listed ?? (await hub.call('getSession', { sessionId }).catch(() => ({ id: sessionId, timeoutMs: 0 })))
  if (isForPerson(session, question, Date.now())) show(noticeOf(session, question))
}

async function announceEnd({ sessionId, events }: FeedStep): Promise<void> {
  if (!events.some(({ event }) => event.type === 'turn.ended')) return
  const session = await hub.call('getSession', { sessionId }).catch(() => undefined)
  const notice = session && noticeOfEnd(session)
  if (notice) show(notice)
}

function show(notice: Notice): void {
  if (document.hidden && chosen.peek()?.reasons.includes(notice.reason)) post({ type: 'show', notice })
}

function post(message: Parameters<typeof postToWorker>[0]): void {
  postToWorker(message).catch(() => {})
}
