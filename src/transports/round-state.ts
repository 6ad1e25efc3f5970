import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../errors.ts'

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

/** Signs it, because whether an answer is a person's goes by when the form was put, and the client must not say that. */
export class RoundStates {
  readonly #key: string | Buffer

  /** Without a key, what another process has signed is not ours. */
  constructor(key: string | Buffer = randomBytes(32)) {
    this.#key = key
  }

  seal(state: RoundState): string {
    const text = JSON.stringify(state)
    return `${this.#sign(text)}.${text}`
  }

  /** Undefined in the first round. */
  open(given: unknown): RoundState | undefined {
    if (typeof given !== 'string') return undefined
    const [signature, text] = splitOnce(given)
    const [said, right] = [Buffer.from(signature), Buffer.from(this.#sign(text))]
    if (said.length !== right.length || !timingSafeEqual(said, right))
      throw new AppError('invalid_input', 'requestState must come back as it was sent.')
    return RoundState.parse(JSON.parse(text))
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(`round of a call ${text}`).digest('base64url')
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf('.')
  return [text.slice(0, at), text.slice(at + 1)]
}
