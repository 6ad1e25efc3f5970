import { formAnswerer } from '../../callers/form-answerer.ts'
import type { Engine, PendingQuestion } from '../../engine/engine.ts'
import type { FormPlace } from './form-place.ts'

/**
 * The questions as the person at the client is shown them. The caller of the connection is a model, from which nothing is held
 * back: what is held back from the person is replaced by the one question that stands for it.
 */
export async function seenByPerson(
  engine: Engine,
  { caller, client }: Pick<FormPlace, 'caller' | 'client'>,
  asked: readonly PendingQuestion[],
): Promise<PendingQuestion[]> {
  if (!asked.some(({ held }) => held)) return [...asked]
  const seen: PendingQuestion[] = []
  for (const sessionId of new Set(asked.map((question) => question.sessionId)))
    seen.push(...(await engine.pending({ caller: formAnswerer(caller, client, true) }, { sessionId })))
  const ids = new Set(asked.map(({ id }) => id))
  return seen.filter(({ id, flood }) => flood || ids.has(id))
}
