/** Invariants of every story at a desk once it is idle, whatever the steps and their order. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Approval } from '../../src/approvals/approval.ts'
import { AppError } from '../../src/base/errors.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { allowedBy, replyToChild } from './desk-question.ts'
import { isEntitled, KINDS, LIMIT_MS } from './desk-steps.ts'
import type { Asked, DeskStory } from './desk-story.ts'

/** A question and its row, if the hub stored it before it crashed. */
type StoredQuestion = readonly [asked: Asked, row: Approval]
type Check = (story: DeskStory, kept: readonly StoredQuestion[], store: Store) => void | Promise<void>

export const INVARIANTS: Readonly<Record<string, Check>> = {
  'I1: settled once, and the loser gets an error that says who won and how': async (story, kept, store) => {
    const settled = new Map<string, number>()
    for (const { id } of story.sessions)
      for (const { event } of await store.events.read(id, 0, 1_000))
        if (event.type === 'approval.settled')
          settled.set(event.approvalId, (settled.get(event.approvalId) ?? 0) + 1)
    for (const [asked, row] of kept) {
      expect(settled.get(row.id) ?? 0).toBe(row.status === 'pending' ? 0 : 1)
      const attempts = story.attempts.filter(({ question }) => question === asked)
      const winners = attempts.flatMap(({ result }) => result ?? [])
      expect(winners.length).toBeLessThanOrEqual(1)
      for (const result of winners) expect(outcomeOf(result)).toEqual(outcomeOf(row))
      for (const { refused } of attempts) {
        if (!(refused instanceof AppError) || refused.code !== 'already_settled') continue
        const { id, status, by, level, via, settledAt, decision } = row
        const message = decision?.behavior === 'deny' ? decision.message : undefined
        expect(refused.data).toEqual({ approval: { id, status, by, level, via, message, settledAt } })
      }
    }
  },
  'I2: no answer reaches a child before it is safe on disk': ({ lives }, kept) => {
    for (const [{ requestId, reply }, { id }] of kept) {
      if (reply) expect(reply.safe).toContain(id)
      for (const one of lives.child.received) if (one.requestId === requestId) expect(one.safe).toContain(id)
    }
  },
  'I3: an answer takes effect once, for what was asked and with what somebody answered': (
    { lives, attempts },
    kept,
  ) => {
    const rows = new Map(kept.map(([one, row]) => [one.requestId, row]))
    for (const { requestId, answer } of lives.child.received) {
      expect([...rows.keys()]).toContain(requestId)
      expect(answer, 'a repeat says the same').toEqual(lives.child.effectOf(requestId))
      expect(answer).toEqual(replyToChild(rows.get(requestId)?.decision))
    }
    for (const [asked, row] of kept) {
      expect(row.input, 'what was asked stays').toEqual(asked.input)
      expect(sha256(JSON.stringify(row.input))).toBe(row.inputSha256)
      if (row.status !== 'allowed') continue
      const yes = attempts.filter(({ question, choice }) => question === asked && choice.choice === 'allow')
      expect(yes.map(({ choice }) => allowedBy(asked, choice))).toContainEqual(effectOf(row))
      for (const { result, choice } of yes)
        if (result) expect(effectOf(row)).toEqual(allowedBy(asked, choice))
    }
  },
  'I4: the result of the answerer is what the child got, unless it was gone': ({ lives, attempts }, kept) => {
    for (const [asked, row] of kept) {
      const got = asked.carrier === 'mcp' ? asked.reply?.decision : lives.child.effectOf(asked.requestId)
      if (got !== undefined) expect(got).toEqual(replyToChild(row.decision))
      // A process that asks by a call may end in the moment of the reply.
      else if (asked.carrier === 'control' || !asked.gone.signal.aborted)
        expect(row.delivery).not.toBe('sent')
      if (row.decision === undefined || asked.gone.signal.aborted) continue
      expect(got, 'a decision arrives').toEqual(replyToChild(row.decision))
      expect(row.delivery, 'and the row says so').toBe('sent')
      for (const { question, result } of attempts)
        if (question === asked && result) expect(got).toEqual(replyToChild(result.decision))
    }
  },
  'I5: only an entitled caller settles the questions of a session, never the session itself': (
    story,
    kept,
  ) => {
    for (const { by, question, result, refused } of story.attempts) {
      if (isEntitled(by, KINDS[question.session]?.answerers ?? 'anyone')) continue
      expect(result).toBeUndefined()
      // A model that may see the question learns how it was settled, also where only a person may answer.
      const seen = isEntitled(by, 'anyone') ? ['already_settled'] : []
      if (refused) expect(['forbidden', 'not_found', ...seen]).toContain((refused as AppError).code)
    }
    const sure = ['operator', 'model', 'owner', ...story.sessions.map(({ parentId }) => parentId)]
    for (const [, { by }] of kept) if (by !== undefined) expect(sure).toContain(by)
  },
  'I11: an answer wakes the process that waits in a call': (_, kept) => {
    for (const [{ carrier, reply, gone }, { decision }] of kept)
      if (carrier === 'mcp' && decision && !gone.signal.aborted) expect(reply?.decision).toEqual(decision)
  },
  'I21: a question and its answer have one row each in the record, stored with them, and a delivery has one':
    async (story, kept, store) => {
      const count = new Map<string, number>()
      for (const { kind, body } of await store.record.read({ after: story.recordedBefore, limit: 10_000 }))
        if (['asked', 'settled', 'delivered'].includes(kind)) {
          const { approvalId }: { approvalId: string } = JSON.parse(body)
          count.set(`${kind} ${approvalId}`, (count.get(`${kind} ${approvalId}`) ?? 0) + 1)
        }
      for (const [, { id, status, delivery }] of kept) {
        expect(count.get(`asked ${id}`)).toBe(1)
        expect(count.get(`settled ${id}`) ?? 0).toBe(status === 'pending' ? 0 : 1)
        // A call may end before its delivery is noted: then only its result shows that it was delivered.
        const delivered = count.get(`delivered ${id}`) ?? 0
        expect({ none: [0], sent: [1], acknowledged: [0, 1] }[delivery]).toContain(delivered)
      }
    },
  'R9: nothing expires before its time, however the clock jumps': ({ lives }, kept) => {
    for (const [{ openedAt, session }, { id, status }] of kept) {
      if (status !== 'expired') continue
      expect(KINDS[session]?.timeoutMs).toBe(LIMIT_MS)
      expect(lives.settledAt.get(id)).toBeGreaterThanOrEqual(openedAt + LIMIT_MS)
    }
  },
}

/** The outcome of a question, without the delivery, which may still progress. */
function outcomeOf({ status, by, decision, id }: Approval): object {
  return { id, status, by, decision }
}

/** The input that runs, or the form content, by the decision of a row. */
function effectOf({ decision }: Approval): unknown {
  if (decision?.behavior === 'form') return decision.content
  return decision?.behavior === 'allow' ? decision.updatedInput : undefined
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
