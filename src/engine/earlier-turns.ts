import type { Caller } from '../callers/access-rules.ts'
import { AppError } from '../base/errors.ts'
import { titleOf } from '../sessions/record/next-step.ts'
import type { Store } from '../sessions/record/store.ts'
import { sessionFor } from './access/session-access.ts'
import type { Transcripts } from './conversations.ts'

/** A turn that a conversation had before it was a session of ours. */
export interface EarlierTurn {
  /** The CLI's id of its prompt. */
  readonly id: string
  readonly title: string
}

/** What was said in a conversation before it came to us, or, of one that never did, all of it. Oldest first. */
export async function historyFor(
  { store, transcripts }: { readonly store: Store; readonly transcripts: Transcripts | undefined },
  caller: Caller,
  sessionId: string,
): Promise<EarlierTurn[]> {
  const seesAll = caller.kind === 'operator' || caller.scopes.includes('transcripts')
  const ours = await sessionFor(store, caller, 'read', sessionId).catch((error: unknown) => {
    if (seesAll && error instanceof AppError && error.code === 'not_found') return error
    throw error
  })
  if (ours instanceof AppError) {
    if (!(await transcripts?.find(sessionId))) throw ours
    return turnsIn(transcripts, sessionId, new Set())
  }
  if (ours.origin.kind !== 'resume') return []
  const prompts = (await store.turns.list(ours.id)).map(({ promptId }) => promptId)
  return turnsIn(transcripts, ours.id, new Set(prompts))
}

/** Until one that we began. */
async function turnsIn(
  transcripts: Transcripts | undefined,
  sessionId: string,
  own: ReadonlySet<string | undefined>,
): Promise<EarlierTurn[]> {
  const turns: EarlierTurn[] = []
  let begun = false
  for await (const event of transcripts?.read(sessionId) ?? []) {
    if (event.type === 'turn.started') begun = true
    if (event.type !== 'prompt.accepted' || !begun) continue
    if (own.has(event.promptId)) break
    turns.push({ id: event.promptId, title: titleOf(event) })
    begun = false // what else is said in the turn does not begin one
  }
  return turns
}
