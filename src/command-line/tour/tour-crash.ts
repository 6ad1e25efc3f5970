import { enterKey } from './enter-key.ts'
import { printUntilAsked, type Tour } from './tour-turn.ts'

/** Kills the hub while its question waits, and starts it again. Returns the seq before the question. */
export async function crash(parts: Tour, after: number): Promise<number> {
  const { place, session, text, out, stop } = parts
  const asked = await printUntilAsked(parts, after)
  if (!asked) return after
  text.gap()
  if (out.mayPrompt) {
    text.say('The question waits. Press Enter, and its hub is killed.')
    await enterKey(stop, () => text.say('Enter kills the hub; Ctrl-C ends the tour.'))
    stop.signal.throwIfAborted()
  }
  text.strong(`$ kill -9 ${await place.hubPid()}`)
  await place.killHub()
  text.say('The hub is dead. Claude Code is not: it still waits for its answer.')
  const { engine, context } = place.client
  await engine.getSession(context, { sessionId: session.id }) // like every call, it starts a hub if none runs
  text.say(`A hub runs again (pid ${await place.hubPid()}), and the question is still there.`)
  text.gap()
  return asked.seq - 1
}
