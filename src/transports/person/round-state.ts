import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import type { Signer } from '../../text/signed-text.ts'

/** What goes through the client between two rounds of one call. It selects, and gives no right to anything. */
const RoundState = z.object({
  /** The session that the call is about. */
  sessionId: z.string().optional(),
  /** Questions that were put as forms and may still be open, and when: not put again in this call. */
  tried: z
    .array(z.object({ id: z.string(), sessionId: z.string(), askedAt: z.number() }))
    .min(1)
    .max(100),
})
export type RoundState = z.infer<typeof RoundState>

/** Signed, because whether an answer is a person's goes by when the form was put, and the client must not say that. */
export function sealedRound(signer: Signer, state: RoundState): string {
  return signer.sign(PURPOSE, state)
}

/** Undefined in the first round. */
export function roundIn(signer: Signer, given: unknown): RoundState | undefined {
  if (typeof given !== 'string') return undefined
  const state = RoundState.safeParse(signer.open(PURPOSE, given))
  if (state.success) return state.data
  throw new AppError('invalid_input', 'requestState must come back as it was sent.')
}

const PURPOSE = 'round of a call'
