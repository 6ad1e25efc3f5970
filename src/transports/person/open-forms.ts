import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { endOf } from '../../approvals/ends/question-end.ts'
import type { ApprovalKey } from '../../base/ids.ts'
import type { Engine, PendingQuestion, CallContext } from '../../engine/engine.ts'
import type { EventOf } from '../../events/session-event.ts'
import type { FormPlace } from './form-place.ts'
import { takeAnswer } from './form-answer.ts'
import { formOf } from './question-form.ts'
import { questionText } from './question-text.ts'
import { ruleOption } from './rule-option.ts'

/** Puts a form to the person; the signal withdraws it. */
export type Put = (form: ElicitRequestFormParams, signal: AbortSignal) => Promise<unknown>

/** How a form ended. */
export interface Outcome {
  /** A note for the caller. */
  readonly note?: string | undefined
}

/** The form of a question; undefined if no form can ask it. */
export async function elicitationOf(
  engine: Engine,
  call: CallContext,
  asked: PendingQuestion,
): Promise<ElicitRequestFormParams | undefined> {
  const requestedSchema = formOf(asked, await ruleOption(engine, call, asked))
  if (!requestedSchema) return undefined
  const session = await engine.getSession(call, { sessionId: asked.sessionId })
  return { mode: 'form', message: questionText(asked, session), requestedSchema }
}

/**
 * The open forms of one connection. A form outlives the call in which it was put, and a question has one form for all calls.
 * The person is one answerer among others: when somebody else was first, the form is withdrawn.
 */
export class OpenForms {
  readonly #engine: Engine
  readonly #onlooker: Engine
  readonly #open = new Map<string, Promise<Outcome>>()
  /** The last form of each question, with its number in order. */
  readonly #put = new Map<string, { readonly number: number; readonly outcome: Promise<Outcome> }>()
  #count = 0
  readonly #answered = new Set<string>()

  /** An answer may start a hub, but an open form may not: the person may have ended the hub on purpose. */
  constructor(engine: Engine, onlooker: Engine = engine) {
    this.#engine = engine
    this.#onlooker = onlooker
  }

  /** True if the person has been asked this, perhaps without an answer. */
  wasPut(approvalId: ApprovalKey): boolean {
    return this.#put.has(approvalId)
  }

  /** How many forms were put so far. */
  get count(): number {
    return this.#count
  }

  /** The outcome of the form for this question, if it was put after form number `count`, so that nobody is asked twice. */
  putSince(approvalId: ApprovalKey, count: number): Promise<Outcome> | undefined {
    const put = this.#put.get(approvalId)
    return put && put.number > count ? put.outcome : undefined
  }

  /** Resolves when the form is answered, cancelled or withdrawn; never rejects. */
  put(place: FormPlace, asked: PendingQuestion, put: Put, until?: AbortSignal): Promise<Outcome> {
    // A call that read the question before it was answered may come here after.
    if (this.#answered.has(asked.id)) return Promise.resolve({})
    const open = this.#open.get(asked.id)
    if (open) return open
    const outcome = this.#ask(place, asked, put, until)
    this.#open.set(asked.id, outcome)
    this.#put.set(asked.id, { number: ++this.#count, outcome })
    return outcome
  }

  async #ask(
    place: FormPlace,
    asked: PendingQuestion,
    put: Put,
    until: AbortSignal | undefined,
  ): Promise<Outcome> {
    const { caller } = place
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, ...(until ? [until] : [])])
    try {
      const form = await elicitationOf(this.#engine, { caller }, asked)
      if (!form) return {}
      // An error here (the hub has changed) does not mean that the question is settled.
      const settled = settledElsewhere(this.#onlooker, { caller, signal }, asked).catch(() => NEVER)
      const askedAt = place.now()
      const filled = put(form, signal).then((content) => ({ content, tookMs: place.now() - askedAt }))
      filled.catch(() => {}) // withdrawn
      const first = await Promise.race([filled, settled])
      if (!('content' in first)) return first
      const { content, tookMs } = first
      const { note, counts } = await takeAnswer(this.#engine, place, { asked, filled: content, tookMs })
      if (counts) this.#answered.add(asked.id)
      return { note }
    } catch {
      return {} // the client has gone, or cannot do it after all: the question stays
    } finally {
      over.abort()
      this.#open.delete(asked.id)
    }
  }
}

const NEVER = new Promise<never>(() => {})

/** Resolves when the question is no longer open. */
async function settledElsewhere(
  engine: Engine,
  call: CallContext,
  { id, sessionId }: PendingQuestion,
): Promise<Outcome> {
  const { lastSeq } = await engine.getSession(call, { sessionId })
  const open = await engine.pending(call, { sessionId })
  if (!open.some((one) => one.id === id)) return { note: 'The question is settled already.' }
  for await (const { events } of engine.followEvents(call, { sessionId, after: lastSeq }))
    for (const { event } of events)
      if (event.type === 'approval.settled' && event.approvalId === id) return { note: noteOf(event) }
  return {}
}

function noteOf(settled: EventOf<'approval.settled'>): string {
  const by = settled.by === undefined ? '' : ` by ${settled.by}`
  return `The question was ${endOf(settled)}${by} while the person was asked.`
}
