import { expect, test } from 'vitest'
import { settledSentence } from '../../dashboard/src/answered/settled-sentence.ts'
import { DISMISSED } from '../../src/approvals/ends/model-sentences.ts'
import { anApproval } from '../contracts/rows.ts'

const settled = { by: 'laptop', via: 'page', settledAt: 1_000 } as const

test.each([
  [
    { ...settled, status: 'allowed', delivery: 'acknowledged' },
    /^Allowed by laptop \(page\), 2 s ago .*continued/,
  ],
  [
    {
      ...settled,
      status: 'denied',
      delivery: 'sent',
      decision: { behavior: 'deny', message: 'Not\u202E so' },
    },
    /^Denied by laptop.*“Not\\u\{202e\} so” It was sent/,
  ],
  [{ status: 'expired', settledAt: 1_000 }, /^Expired.*nobody answered in time/],
  [{ status: 'withdrawn', settledAt: 1_000 }, /^Withdrawn.*no longer asks/],
  [{ status: 'withdrawn', supersededBy: 'a2', settledAt: 1_000 }, /^Superseded.*asked again/],
  [
    {
      ...settled,
      status: 'denied',
      end: 'dismissed',
      kind: 'question',
      decision: { behavior: 'deny', message: DISMISSED },
    },
    /^Dismissed by laptop [^“]*$/,
  ],
  [
    { ...settled, status: 'allowed', decision: { behavior: 'allow', updatedInput: { command: 'other' } } },
    /^Allowed as edited by laptop/,
  ],
  [{ ...settled, status: 'denied', kind: 'question' }, /^Declined by laptop/],
  [{ ...settled, status: 'allowed', kind: 'question' }, /^Answered by laptop/],
  [{ ...settled, status: 'denied', via: 'rule' }, /^Denied by laptop \(rule\)/],
  [{ ...settled, status: 'denied', end: 'repeated', via: 'rule' }, /^Denied as a repetition by laptop/],
  [{ ...settled, status: 'denied', end: 'with others' }, /^Denied with others, unseen, by laptop/],
  [{ ...settled, status: 'denied', end: 'too many', via: 'rule' }, /^Denied as one too many by laptop/],
] as const)('each end has a sentence of its own: %#', (fields, sentence) => {
  expect(settledSentence(anApproval(fields), 3_000)).toMatch(sentence)
})
