import { z } from 'zod'
import { isAtWork } from '../../sessions/record/at-work.ts'
import { promptOrCommand } from '../../engine/prompt-or-command.ts'
import type { Said } from '../../sessions/launch/prompt-kinds.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import type { EventOf } from '../../events/session-event.ts'
import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { TurnPage } from '../../sessions/record/read-turn.ts'
import type { Session } from '../../sessions/record/session.ts'
import { strictFields } from '../../base/input-fields.ts'
import { type Context } from '../operation/operation.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../operation/plexus-operation.ts'
import { CommandName, prompt as promptOf } from '../operation/start-input.ts'
import { type TurnContext, eventView } from './event-view.ts'
import { sessionSummary, SessionSummary, treeIdOf } from './session-view.ts'

export const chat = definePlexusOperation({
  name: 'claudecode.chat',
  title: 'Send a prompt to a session, and wait for the result',
  description:
    'Sends a prompt (or a command) to a session and returns when its turn is over; a client that asks for a stream gets the events meanwhile. Only for sessions that ask nobody (created without loopback_enabled): a caller that waits here could not answer. For other sessions use claudecode.chat_async.',
  input: strictFields({
    ...ONE_SESSION,
    prompt: promptOf('prompt', 'What to say').optional(),
    command: CommandName.optional(),
  }),
  output: SessionSummary.extend({
    type: z.literal('ok'),
    result: z.string().optional(),
    structured_output: z.unknown().optional(),
    hint: z.string().optional(),
    refused: z
      .array(z.looseObject({ tool_name: z.string(), message: z.string() }))
      .optional()
      .describe('The tool calls that were refused.'),
  }),
  hints: { destructiveHint: true, openWorldHint: true },
  waits: true,
  run: async (context, { prompt, command, ...named }) => {
    const { engine, call } = context
    const wanted = promptOrCommand('prompt', { content: prompt, command })
    const session = await engine.getSession(call, { sessionId: sessionNamed(named) })
    if (wouldAsk(session)) throw wouldDeadlock(session)
    const said = await engine.startTurn(call, { sessionId: session.id, ...wanted })
    return { ...(await turnResult(context, session, said)), ...definedFields({ hint: said.hint }) }
  },
  runAgain: async (context, _, sessionId, promptId) => {
    if (sessionId === undefined || promptId === undefined) throw new AppError('busy', NOT_KNOWN)
    const session = await context.engine.getSession(context.call, { sessionId })
    // Whether or not the prompt was queued, its turn echoes it: among what happened last, or the turn is long over.
    const from = { ...session, lastSeq: Math.max(0, session.lastSeq - MOST_EVENTS) }
    return turnResult(context, from, { promptId, queued: true })
  },
})

async function turnResult(context: Context, session: Session, prompt: TakenPrompt) {
  const { page, events } = await followTurn(context, session, prompt)
  context.memory?.noteShown([page.session])
  const ended = ofType(events, 'turn.ended').at(-1)
  const refused = ofType(events, 'tool.refused')
  return {
    type: 'ok' as const,
    ...sessionSummary(page.session),
    turn: page.turn.number,
    ...definedFields({ result: ended?.result, structured_output: ended?.structuredOutput }),
    ...(refused.length > 0
      ? { refused: refused.map(({ toolName, message }) => ({ tool_name: toolName, message })) }
      : {}),
  }
}

type TakenPrompt = Pick<Said, 'promptId' | 'queued'>

/** The caller waits for the turn, so it cannot answer questions of the turn; a person elsewhere can. */
function wouldAsk({ permissionMode, config, answerers }: Session): boolean {
  const silent =
    config.dangerouslySkipPermissions ||
    ['dontAsk', 'bypassPermissions', 'auto'].includes(permissionMode ?? config.permissionMode)
  return answerers === 'anyone' && !(silent && config.supervise === 'asked')
}

function wouldDeadlock({ id, name }: Session): AppError {
  return new AppError(
    'would_deadlock',
    `${name ?? id} asks before it acts, and a caller that waits in claudecode.chat cannot answer: call claudecode.chat_async, then claudecode.poll, and answer with loopback.respond.`,
  )
}

/** Collects the events of the prompt's turn until it is over or the caller has gone; the turn itself continues without the caller. */
async function followTurn(context: Context, { id: sessionId, lastSeq: after }: Session, prompt: TakenPrompt) {
  const { engine, call, notify } = context
  const readState = (turn?: number) => engine.readTurn(call, { sessionId, turn, limit: 0 })
  const events: StoredEvent[] = []
  let turnContext: TurnContext | undefined
  let own: number | undefined
  for await (const { events: found } of engine.followEvents(call, { sessionId, after })) {
    own ??= found.find((stored) => startsTurnOf(stored, prompt))?.turn
    if (own !== undefined && turnContext === undefined) {
      const { session, turn } = await readState(own)
      turnContext = { session, turn, treeId: await treeIdOf(context, session) }
    }
    // The outcome is in the turn's row, so read the row before its last event is sent.
    const state = found.some(({ event }) => MAY_END.has(event.type)) ? await readState(own) : undefined
    if (state && turnContext) turnContext = { ...turnContext, session: state.session, turn: state.turn }
    for (const stored of found.filter(({ turn }) => turn === own)) {
      events.push(stored)
      const text = stored.event.type === 'text' ? stored.event.text : undefined
      if (turnContext) await notify?.({ text, event: eventView(stored, turnContext) })
    }
    if (state && isOver(state, own)) return { events, page: state }
  }
  return { events, page: await readState(own) }
}

/** A prompt begins a turn, or a running turn reads it from the queue. */
function startsTurnOf({ event }: StoredEvent, { promptId, queued }: TakenPrompt): boolean {
  const type = queued ? 'prompt.echoed' : 'prompt.accepted'
  return event.type === type && event.promptId === promptId
}

const NOT_KNOWN =
  'The hub went away before it answered; see with claudecode.poll whether the prompt was taken before you send it again.'
const MOST_EVENTS = 1_000

const MAY_END: ReadonlySet<string> = new Set(['turn.ended', 'run.ended', 'prompt.withdrawn'])

function isOver({ session, turn }: TurnPage, own: number | undefined): boolean {
  const atWork = isAtWork(session)
  return !atWork || (own !== undefined && turn.lastSeq !== undefined)
}

function ofType<T extends 'turn.ended' | 'tool.refused'>(events: readonly StoredEvent[], type: T) {
  return events.map(({ event }) => event).filter((event): event is EventOf<T> => event.type === type)
}
