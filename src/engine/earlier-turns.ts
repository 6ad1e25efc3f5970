import type { Caller } from '../callers/access-rules.ts'
import { mayReadTranscripts } from '../callers/scopes.ts'
import { AppError } from '../base/errors.ts'
import { titleOf } from '../sessions/writing/turn-rows.ts'
import type { Store } from '../sessions/record/store.ts'
import { requireSession } from './access/session-access.ts'
import type { Transcripts } from './conversations.ts'

/** A turn that a conversation had before it became a session of ours. */
export interface EarlierTurn {
  /** The CLI's id of its prompt. */
  readonly id: string
  readonly title: string
}

/** The turns of a conversation before it became a session; all turns if it never did. Oldest first. */
export async function earlierTurns(
  { store, transcripts }: { readonly store: Store; readonly transcripts: Transcripts | undefined },
  caller: Caller,
  sessionId: string,
): Promise<EarlierTurn[]> {
  const ours = await requireSession(store, caller, 'read', sessionId).catch((error: unknown) => {
    if (mayReadTranscripts(caller) && error instanceof AppError && error.code === 'not_found') return error
    throw error
  })
  if (ours instanceof AppError) {
    if (!(await transcripts?.find(sessionId))) throw ours
    return readTurns(transcripts, sessionId, new Set())
  }
  if (ours.origin.kind !== 'resume') return []
  const prompts = (await store.turns.list(ours.id)).map(({ promptId }) => promptId)
  return readTurns(transcripts, ours.id, new Set(prompts))
}

/** Reads up to the first turn of our own. */
async function readTurns(
  transcripts: Transcripts | undefined,
  sessionId: string,
  own: ReadonlySet<string | undefined>,
): Promise<EarlierTurn[]> {
  const turns: EarlierTurn[] = []
  let started = false
  for await (const event of transcripts?.read(sessionId) ?? []) {
    if (event.type === 'turn.started') started = true
    if (event.type !== 'prompt.accepted' || !started) continue
    if (own.has(event.promptId)) break
    turns.push({ id: event.promptId, title: titleOf(event) })
    started = false // a later prompt within the same turn begins no turn
  }
  return turns
}
