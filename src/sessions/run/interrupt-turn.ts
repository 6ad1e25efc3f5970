import type { SessionWriter } from '../record/session-writer.ts'
import type { SessionRun } from './session-run.ts'

/** Ends the turn, keeps the process, and withdraws the prompts that are queued. */
export async function interruptTurn(run: SessionRun, writer: SessionWriter): Promise<void> {
  // All requests are sent at once and in this order; a prompt that cannot be withdrawn must not keep the turn running.
  const withdrawn = [...writer.state.open.prompts.keys()].map((id) => withdrawPrompt(run, writer, id))
  const allWithdrawn = Promise.allSettled(withdrawn)
  await run.request({ subtype: 'interrupt' })
  await allWithdrawn
}

async function withdrawPrompt(run: SessionRun, writer: SessionWriter, promptId: string): Promise<void> {
  // A prompt that was not sent to the child yet needs no request.
  const isWithdrawn =
    run.holdsPrompts ||
    isCancelled(await run.request({ subtype: 'cancel_async_message', message_uuid: promptId }))
  if (isWithdrawn) await writer.append([{ type: 'prompt.withdrawn', promptId }])
}

function isCancelled(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'cancelled' in answer && answer.cancelled === true
}
