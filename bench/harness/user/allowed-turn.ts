import { OPTIONS } from '../../../src/approvals/question.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { Measure } from '../figure.ts'
import type { HubRig } from '../hub-rig.ts'
import { Reader } from '../reader.ts'
import type { Switched } from '../switched.ts'
import { operator } from '../talking-hub.ts'

/** A turn of a session with a question, which is allowed at once. */
export async function turnOfOurs(
  { engine, project }: HubRig,
  over: AbortSignal,
  { budget }: Pick<Switched, 'budget'> = {},
): Promise<Measure> {
  const options = StartOptions.parse({ workingDirectory: project, budget })
  const { id } = await engine.createSession(operator, { options })
  const reader = new Reader({ engine, over }, id)
  return async () => {
    await engine.startTurn(operator, { sessionId: id, content: 'go' })
    const { approvalId } = await reader.event('approval.opened')
    await engine.answer(operator, { approvalId, answers: [OPTIONS.tool[0]] })
    await reader.event('turn.ended')
  }
}
