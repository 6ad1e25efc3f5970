/** The steps that can happen at a desk. */
import * as fc from 'fast-check'
import { ChildAsks } from '../../src/events/approval-fields.ts'
import type { Session } from '../../src/sessions/record/session.ts'

const DAY = 86_400_000
export const LIMIT_MS = 60_000
/** Kinds of sessions; not every caller is entitled to answer for each. */
export const KINDS = [
  { timeoutMs: 0, answerers: 'anyone' },
  { timeoutMs: LIMIT_MS, answerers: 'anyone' },
  { timeoutMs: LIMIT_MS, answerers: 'person' },
] as const
const NAMES = ['operator', 'model', 'owner', 'parent', 'stranger', 'self', 'sibling'] as const
export type Name = (typeof NAMES)[number]

export function isEntitled(name: Name, answerers: Session['answerers']): boolean {
  if (answerers === 'person') return name === 'operator'
  return name !== 'stranger' && name !== 'self' && name !== 'sibling'
}

export type Step = Readonly<
  | {
      do: 'open'
      session: number
      carrier: 'control' | 'mcp'
      kind: ChildAsks
      inNotice?: 'allow' | 'deny' | undefined
    }
  | { do: 'answer'; question: number; choice: 'allow' | 'deny'; edited: boolean; by: Name }
  | { do: 'advance' | 'jump'; ms: number }
  /** The child withdraws its question, or its call has finished, with or without an answer. */
  | { do: 'withdraw' | 'finish'; question: number }
  | { do: 'end run'; session: number }
  | { do: 'crash' }
>

const anySession = fc.nat(KINDS.length - 1)
const anyQuestion = fc.nat(5)
const anyChoice = fc.constantFrom('allow' as const, 'deny' as const)
export const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      session: anySession,
      carrier: fc.constantFrom('control' as const, 'mcp' as const),
      kind: fc.constantFrom(...ChildAsks.options),
      inNotice: fc.option(anyChoice, { nil: undefined, freq: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      question: anyQuestion,
      choice: anyChoice,
      edited: fc.boolean(),
      by: fc.constantFrom(...NAMES),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(1, LIMIT_MS / 2, LIMIT_MS - 1, LIMIT_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('jump' as const), ms: fc.constantFrom(DAY, -DAY) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('withdraw' as const, 'finish' as const),
      question: anyQuestion,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end run' as const), session: anySession }) },
  { weight: 1, arbitrary: fc.constant({ do: 'crash' as const }) },
)
