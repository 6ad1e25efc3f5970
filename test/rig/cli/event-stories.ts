/** Random but possible histories of a session, for tests of what is folded from them. */
import * as fc from 'fast-check'
import type { Decision } from '../../../src/events/decision.ts'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import { asApprovalId, asRunId } from '../tools/ids.ts'

export const seen = (id: string, opinion: 'none' | 'ask' = 'none'): EventOf<'tool.seen'> => ({
  type: 'tool.seen',
  requestId: `hook-${id}`,
  toolUseId: `tool-${id}`,
  toolName: 'Bash',
  opinion,
})

/** Without `toolUseId` it is a form: nothing says when its tool has finished. */
export const opened = (id: string, toolUseId?: string): EventOf<'approval.opened'> => ({
  type: 'approval.opened',
  approvalId: asApprovalId(`approval-${id}`),
  requestId: `ask-${id}`,
  kind: toolUseId === undefined ? 'form' : 'tool',
  toolName: 'Bash',
  input: { command: 'date' },
  ...(toolUseId === undefined ? {} : { toolUseId }),
})

export const settled = (id: string, decision?: Decision): EventOf<'approval.settled'> => ({
  type: 'approval.settled',
  approvalId: asApprovalId(`approval-${id}`),
  status: decision === undefined ? 'withdrawn' : decision.behavior === 'deny' ? 'denied' : 'allowed',
  ...(decision === undefined ? {} : { decision }),
})

export const finished = (id: string): EventOf<'tool.finished'> => ({
  type: 'tool.finished',
  toolUseId: `tool-${id}`,
  isError: false,
  content: '',
})

export const refused = (id: string): EventOf<'tool.refused'> => ({
  type: 'tool.refused',
  toolUseId: `tool-${id}`,
  toolName: 'Bash',
  message: 'no',
})

export const cancelled = (requestId: string): EventOf<'request.cancelled'> => ({
  type: 'request.cancelled',
  requestId,
})

export const accepted = (promptId: string, content = 'go'): EventOf<'prompt.accepted'> => ({
  type: 'prompt.accepted',
  promptId,
  content,
})

export const turnEnded = (turns = 1): EventOf<'turn.ended'> => ({
  type: 'turn.ended',
  outcome: 'done',
  turns,
})

export const agentStarted = (id: string): EventOf<'task.started'> => ({
  type: 'task.started',
  taskId: `task-${id}`,
  kind: 'local_agent',
  description: '',
})

export const said = (id: string): EventOf<'text'> => ({ type: 'text', text: 'hello', uuid: `uuid-${id}` })

export const allow: Decision = { behavior: 'allow', updatedInput: { command: 'date' } }
export const deny: Decision = { behavior: 'deny', message: 'no' }

/** One thing from its beginning to its end; a history may stop anywhere in it. */
const lives = (id: string): SessionEvent[][] => [
  [seen(id), finished(id)],
  [seen(id, 'ask'), opened(id, `tool-${id}`), settled(id, allow), finished(id)],
  [seen(id), opened(id, `tool-${id}`), settled(id, deny), finished(id)],
  [seen(id), opened(id, `tool-${id}`), settled(id), finished(id)],
  [seen(id), opened(id, `tool-${id}`), cancelled(`ask-${id}`), finished(id)],
  [seen(id), opened(id, `tool-${id}`), settled(id, allow), cancelled(`ask-${id}`), settled(id), finished(id)],
  [seen(id), refused(id), finished(id)],
  [seen(id), cancelled(`hook-${id}`), finished(id)],
  [opened(id), settled(id, { behavior: 'form', action: 'decline' }), cancelled(`ask-${id}`)],
  [finished(id)],
  [
    accepted(`prompt-${id}`),
    { type: 'turn.started', cliSessionId: 's' },
    { type: 'prompt.echoed', promptId: `prompt-${id}` },
    turnEnded(),
  ],
  [accepted(`prompt-${id}`), { type: 'prompt.withdrawn', promptId: `prompt-${id}` }],
  [{ type: 'request.unknown', requestId: `odd-${id}`, subtype: 'new' }, cancelled(`odd-${id}`)],
  [{ type: 'text', text: 'hello' }, { type: 'mode.changed', mode: 'plan' }, turnEnded()],
  [{ type: 'run.ended', runId: asRunId('r') }],
  [
    { type: 'run.started', runId: asRunId(`run-${id}`) },
    { type: 'run.outdated', runId: asRunId(`run-${id}`), protection: 1, needed: 2 },
    { type: 'run.ended', runId: asRunId(`run-${id}`), stopped: true },
  ],
  [agentStarted(id), { type: 'task.ended', taskId: `task-${id}`, status: 'completed' }],
  [{ ...agentStarted(id), kind: 'local_bash' }],
  [
    { type: 'text.streamed', text: 'hel' },
    said(id),
    { type: 'line.unparsed', text: '{', bytes: 1 },
    turnEnded(),
  ],
  [{ type: 'cost.reported', total: Number(id) / 8, inputTokens: 1, outputTokens: 1 }],
]

/** Several lives at once, in any order between them, each in its own. */
export const histories: fc.Arbitrary<SessionEvent[]> = fc
  .array(
    fc.record({
      life: fc.nat(lives('').length - 1),
      steps: fc.integer({ min: 1, max: 6 }),
      times: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
    }),
    { maxLength: 12 },
  )
  .map((chosen) =>
    chosen
      .flatMap(({ life, steps, times }, id) => {
        const sorted = times.toSorted((a, b) => a - b)
        return (lives(String(id))[life] ?? [])
          .slice(0, steps)
          .map((event, step) => ({ event, time: sorted[step] ?? 1 }))
      })
      .toSorted((a, b) => a.time - b.time)
      .map(({ event }) => event),
  )

/** The same events in consecutive pieces. */
export const inBatches = (events: readonly SessionEvent[], cuts: readonly number[]): SessionEvent[][] => {
  const at = [
    0,
    ...cuts.map((cut) => Math.floor(cut * events.length)).toSorted((a, b) => a - b),
    events.length,
  ]
  return at.slice(1).map((end, index) => events.slice(at[index], end))
}

export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
