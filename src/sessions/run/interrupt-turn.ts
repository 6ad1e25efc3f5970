import { z } from 'zod'
import type { SessionWriter } from '../writing/session-writer.ts'
import type { SessionRun } from './session-run.ts'

type Run = Pick<SessionRun, 'request' | 'holdsPrompts'>

/**
 * Ends the turn, keeps the process, and withdraws the prompts that are queued. The CLI answers before it ends the turn, so the
 * end is waited for: whoever reads the session next must not find a question that is about to be withdrawn.
 */
export async function interruptTurn(run: Run, writer: SessionWriter): Promise<void> {
  const { turn } = writer.state
  // All requests are sent at once and in this order; a prompt that cannot be withdrawn must not keep the turn running.
  const withdrawn = [...writer.state.open.prompts.keys()].map((id) => withdrawPrompt(run, writer, id))
  const allWithdrawn = Promise.allSettled(withdrawn)
  await run.request({ subtype: 'interrupt' })
  await allWithdrawn
  await untilOver(writer, turn)
}

async function untilOver(writer: SessionWriter, turn: number): Promise<void> {
  const { doorbell, stop } = writer.listen()
  const until = performance.now() + MAX_END_MS
  try {
    while (writer.state.inTurn && writer.state.turn === turn && performance.now() < until)
      await doorbell.next(until - performance.now())
  } finally {
    stop()
  }
}

async function withdrawPrompt(run: Run, writer: SessionWriter, promptId: string): Promise<void> {
  // A prompt that was not sent to the child yet needs no request.
  const isWithdrawn =
    run.holdsPrompts ||
    Cancelled.safeParse(await run.request({ subtype: 'cancel_async_message', message_uuid: promptId }))
      .success
  if (isWithdrawn) await writer.append([{ type: 'prompt.withdrawn', promptId }])
}

const Cancelled = z.object({ cancelled: z.literal(true) })
/** A tool that ignores the end of its turn must not hold the caller for long. */
const MAX_END_MS = 2_000
