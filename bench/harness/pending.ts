import { Reader } from './reader.ts'
import { type Hub, questionOf, type Talker } from './talking-hub.ts'

/** The child asks so many questions, and all of them are stored. */
export async function ask({ engine }: Pick<Hub, 'engine'>, talker: Talker, count: number): Promise<void> {
  const over = new AbortController()
  const reader = new Reader({ engine, over: over.signal }, talker.id)
  const asking = talker.say(...Array.from({ length: count }, (_, at) => questionOf(`pending-${at}`)))
  for (let left = count; left > 0; left--) await reader.event('approval.opened')
  over.abort()
  await asking
}
