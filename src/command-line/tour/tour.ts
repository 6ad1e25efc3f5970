import { findCli } from '../../child/launch/find-cli.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import { ownCommand } from '../views/own-command.ts'
import { crash } from './tour-crash.ts'
import { nextLines, openingLines, SEEN, TourText } from './tour-text.ts'
import { openTourPlace } from './tour-place.ts'
import { resultOf, STEPS, type TourStep } from './tour-script.ts'
import { answeredAtTerminal, answeredByTour, type Tour, turnResult } from './tour-turn.ts'

export interface TourParts extends Pick<Tour, 'out' | 'stop'> {
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A tour that is killed leaves a hub, which ends by itself once nothing waits there. */
const TIMEOUT_MS = 900_000

/**
 * One session of the real CLI against the scripted model, in a hub of its own. At a terminal the person answers its questions;
 * elsewhere the tour allows each of them, and says so.
 */
export async function tour({ env, out, stop }: TourParts): Promise<void> {
  const text = new TourText(out)
  const cli = await findCli(env)
  stop.signal.throwIfAborted()
  text.say(...openingLines(cli.version, out.mayPrompt))
  const place = await openTourPlace(cli, env['PATH'] ?? '')
  try {
    const { engine, context } = place.client
    const options = StartOptions.parse({ workingDirectory: place.project, name: 'demo' })
    const session = await engine.createSession(context, { options, timeoutMs: TIMEOUT_MS })
    for (const [at, step] of STEPS.entries()) {
      stop.signal.throwIfAborted()
      text.title(`${at + 1} of ${STEPS.length}: ${step.title}`)
      text.say(...step.intro)
      text.gap()
      await chapter({ place, session, text, out, stop }, step)
    }
  } finally {
    await place.close()
  }
  text.title('That is Plexus')
  text.say(...SEEN)
  text.gap()
  text.lines(...nextLines(ownCommand(process.argv[1] ?? '')))
}

async function chapter(parts: Tour, step: TourStep): Promise<void> {
  const { place, session, text, out, stop } = parts
  const { engine, context } = place.client
  const { id: sessionId } = session
  if (step.mode) await engine.setMode(context, { sessionId, mode: step.mode })
  const { lastSeq: before } = await engine.getSession(context, { sessionId })
  await engine.startTurn(context, { sessionId, content: step.prompt })
  const after = step.killsHub ? await crash(parts, before) : before
  stop.signal.throwIfAborted()
  await (out.mayPrompt ? answeredAtTerminal(parts, after) : answeredByTour(parts, after))
  stop.signal.throwIfAborted()
  const status = await turnResult(parts, before)
  if (step.mode) await engine.setMode(context, { sessionId, mode: 'default' })
  text.gap()
  text.result(status === 'allowed', resultOf(step, status, await place.isThere(step.evidence)))
}
