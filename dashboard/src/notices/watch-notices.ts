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
      for (const gone of known)
        if (!tags.includes(gone)) {
          seen.delete(gone)
          post({ type: 'withdraw', tag: gone })
        }
      if (!hasRead) post({ type: 'open questions', tags })
      hasRead = true
      for (const question of open)
        if (!known.has(question.id)) void announceQuestion(question, !document.hidden)
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
      void announceQuestion(question, false)
      if (expiresAt !== undefined && isExpiring(question, Date.now()))
        void announceExpiry({ ...question, expiresAt })
    }
  }, CHECK_MS)
  document.addEventListener('visibilitychange', onVisibility)
  onVisibility()
  return () => {
    for (const end of ends) end()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

/** The questions that a person had before the eyes: no notice is shown of them later. */
const seen = new Set<string>()

function onVisibility(): void {
  if (!document.hidden) return post({ type: 'seen' })
  for (const question of questions.peek() ?? []) void announceQuestion(question, true)
  // Another tab may have changed it.
  readChoice().catch(() => {})
}

async function announceQuestion(question: PendingQuestion, isSeen: boolean): Promise<void> {
  if (seen.has(question.id)) return
  const session = await sessionForPerson(question)
  if (!session) return
  if (isSeen) seen.add(question.id)
  else show(noticeOfQuestion(session, question))
}

async function announceExpiry(question: PendingQuestion & { expiresAt: number }): Promise<void> {
  const session = await sessionForPerson(question)
  if (session) show(noticeOfExpiry(session, question))
}

/** The session that asks; undefined while the question is for a model. */
async function sessionForPerson(question: PendingQuestion) {
  const { sessionId } = question
  const listed = sessions.peek()?.find(({ id }) => id === sessionId)
  const session =
    listed ?? (await hub.call('getSession', { sessionId }).catch(() => ({ id: sessionId, timeoutMs: 0 })))
  return isForPerson(session, question, Date.now()) ? session : undefined
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
