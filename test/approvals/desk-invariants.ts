/** What holds of every story at a desk once nothing is under way, whatever came in whatever order. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Approval } from '../../src/approvals/approval.ts'
import { AppError } from '../../src/base/errors.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { allowedBy, toldToChild } from './desk-question.ts'
import { isEntitled, KINDS, LIMIT_MS } from './desk-steps.ts'
import type { Asked, DeskStory } from './desk-story.ts'

/** A question and the row that it has, if the hub lived to store it. */
type Kept = readonly [asked: Asked, row: Approval]
type Check = (story: DeskStory, kept: readonly Kept[], store: Store) => void | Promise<void>

export const INVARIANTS: Readonly<Record<string, Check>> = {
  'I1: settled once, and the loser is told who won and how': async (story, kept, store) => {
    const settled = new Map<string, number>()
    for (const { id } of story.sessions)
      for (const { event } of await store.events.read(id, 0, 1_000))
        if (event.type === 'approval.settled')
          settled.set(event.approvalId, (settled.get(event.approvalId) ?? 0) + 1)
    for (const [asked, row] of kept) {
      expect(settled.get(row.id) ?? 0).toBe(row.status === 'pending' ? 0 : 1)
      const attempts = story.attempts.filter(({ question }) => question === asked)
      const winners = attempts.flatMap(({ told }) => told ?? [])
      expect(winners.length).toBeLessThanOrEqual(1)
      for (const told of winners) expect(outcomeOf(told)).toEqual(outcomeOf(row))
      for (const { refused } of attempts) {
        if (!(refused instanceof AppError) || refused.code !== 'already_settled') continue
        const { id, status, by, level, via, settledAt, decision } = row
        const message = decision?.behavior === 'deny' ? decision.message : undefined
        expect(refused.data).toEqual({ approval: { id, status, by, level, via, message, settledAt } })
      }
    }
  },
  'I2: no answer reaches a child before it is safe on disk': ({ lives }, kept) => {
    for (const [{ requestId, told }, { id }] of kept) {
      if (told) expect(told.safe).toContain(id)
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
      expect(answer).toEqual(toldToChild(rows.get(requestId)?.decision))
    }
    for (const [asked, row] of kept) {
      expect(row.input, 'what was asked stays').toEqual(asked.input)
      expect(sha256(JSON.stringify(row.input))).toBe(row.inputSha256)
      if (row.status !== 'allowed') continue
      const yes = attempts.filter(({ question, choice }) => question === asked && choice.choice === 'allow')
      expect(yes.map(({ choice }) => allowedBy(asked, choice))).toContainEqual(effectOf(row))
      for (const { told, choice } of yes) if (told) expect(effectOf(row)).toEqual(allowedBy(asked, choice))
    }
  },
  'I4: what the answerer was told is what the child got, unless it was gone': ({ lives, attempts }, kept) => {
    for (const [asked, row] of kept) {
      const got = asked.carrier === 'mcp' ? asked.told?.decision : lives.child.effectOf(asked.requestId)
      if (got !== undefined) expect(got).toEqual(toldToChild(row.decision))
      // Who asks by a call may go in the very moment of being told.
      else if (asked.carrier === 'control' || !asked.gone.signal.aborted)
        expect(row.delivery).not.toBe('sent')
      if (row.decision === undefined || asked.gone.signal.aborted) continue
      expect(got, 'a decision arrives').toEqual(toldToChild(row.decision))
      expect(row.delivery, 'and the row tells so').toBe('sent')
      for (const { question, told } of attempts)
        if (question === asked && told) expect(got).toEqual(toldToChild(told.decision))
    }
  },
  'I5: only who answers for the session settles its questions, never the session itself': (story, kept) => {
    for (const { by, question, told, refused } of story.attempts) {
      if (isEntitled(by, KINDS[question.session]?.answerers ?? 'anyone')) continue
      expect(told).toBeUndefined()
      // A model that may see the question is told how it was settled, also where only a person may answer.
      const seen = isEntitled(by, 'anyone') ? ['already_settled'] : []
      if (refused) expect(['forbidden', 'not_found', ...seen]).toContain((refused as AppError).code)
    }
    const sure = ['operator', 'model', 'owner', ...story.sessions.map(({ parentId }) => parentId)]
    for (const [, { by }] of kept) if (by !== undefined) expect(sure).toContain(by)
  },
  'I11: whoever waits in a call is woken by the answer': (_, kept) => {
    for (const [{ carrier, told, gone }, { decision }] of kept)
      if (carrier === 'mcp' && decision && !gone.signal.aborted) expect(told?.decision).toEqual(decision)
  },
  'R9: nothing expires before its time, however the clock jumps': ({ lives }, kept) => {
    for (const [{ at, session }, { id, status }] of kept) {
      if (status !== 'expired') continue
      expect(KINDS[session]?.timeoutMs).toBe(LIMIT_MS)
      expect(lives.settledAt.get(id)).toBeGreaterThanOrEqual(at + LIMIT_MS)
    }
  },
}

/** How a question stands, but for how far its answer has got, which goes on. */
function outcomeOf({ status, by, decision, id }: Approval): object {
  return { id, status, by, decision }
}

/** What runs, or is filled in, by the decision of a row. */
function effectOf({ decision }: Approval): unknown {
  if (decision?.behavior === 'form') return decision.content
  return decision?.behavior === 'allow' ? decision.updatedInput : undefined
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
