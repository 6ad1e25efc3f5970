import { z } from 'zod'
import { promptOrCommand } from '../../engine/prompt-or-command.ts'
import type { Said } from '../../sessions/run/live-session.ts'
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
import { type Around, eventView } from './event-view.ts'
import { standing, Standing, treeIdOf } from './view.ts'

export const chat = definePlexusOperation({
  name: 'claudecode.chat',
  title: 'Say something to a session, and wait for the result',
  description:
    'Sends a prompt (or a command) to a session and returns when its turn is over; what happens meanwhile is streamed to who asked for that. Only for sessions that ask nobody (created without loopback_enabled): who waits here could not answer. For the others use claudecode.chat_async.',
  input: strictFields({
    ...ONE_SESSION,
    prompt: promptOf('prompt', 'What to say').optional(),
    command: CommandName.optional(),
  }),
  output: Standing.extend({
    type: z.literal('ok'),
    result: z.string().optional(),
    structured_output: z.unknown().optional(),
    hint: z.string().optional(),
    refused: z
      .array(z.looseObject({ tool_name: z.string(), message: z.string() }))
      .optional()
      .describe('What it wanted to do and may not.'),
  }),
  hints: { destructiveHint: true, openWorldHint: true },
  waits: true,
  run: async (context, { prompt, command, ...named }) => {
    const { engine, who } = context
    const wanted = promptOrCommand('prompt', { content: prompt, command })
    const session = await engine.getSession(who, { sessionId: sessionNamed(named) })
    if (wouldAsk(session)) throw wouldDeadlock(session)
    const said = await engine.startTurn(who, { sessionId: session.id, ...wanted })
    const { page, events } = await followed(context, session, said)
    context.atWork?.shows([page.session])
    const ended = ofType(events, 'turn.ended').at(-1)
    const refused = ofType(events, 'tool.refused')
    return {
      type: 'ok' as const,
      ...standing(page.session),
      turn: page.turn.number,
      ...definedFields({ result: ended?.result, structured_output: ended?.structuredOutput }),
      ...definedFields({ hint: said.hint }),
      ...(refused.length > 0
        ? { refused: refused.map(({ toolName, message }) => ({ tool_name: toolName, message })) }
        : {}),
    }
  },
})

/** Who waits for the turn cannot answer its questions; a person elsewhere can. */
function wouldAsk({ permissionMode, config, answerers }: Session): boolean {
  const silent =
    config.dangerouslySkipPermissions ||
    ['dontAsk', 'bypassPermissions', 'auto'].includes(permissionMode ?? config.permissionMode)
  return answerers === 'anyone' && !(silent && config.supervise === 'asked')
}

function wouldDeadlock({ id, name }: Session): AppError {
  return new AppError(
    'would_deadlock',
    `${name ?? id} asks before it acts, and whoever waits in claudecode.chat cannot answer: call claudecode.chat_async, then claudecode.poll, and answer with loopback.respond.`,
  )
}

/** The events of the turn that has this prompt, until it is over or the caller has gone; the turn goes on without them. */
async function followed(context: Context, { id: sessionId, lastSeq: after }: Session, said: Said) {
  const { engine, who, tell } = context
  const look = (turn?: number) => engine.readTurn(who, { sessionId, turn, limit: 0 })
  const events: StoredEvent[] = []
  let around: Around | undefined
  let own: number | undefined
  for await (const { events: found } of engine.followEvents(who, { sessionId, after })) {
    own ??= found.find((stored) => isOf(stored, said))?.turn
    if (own !== undefined && around === undefined) {
      const { session, turn } = await look(own)
      around = { session, turn, treeId: await treeIdOf(context, session) }
    }
    // How it ended is in the row, so that is read before its last event is told.
    const looked = found.some(({ event }) => MAY_END.has(event.type)) ? await look(own) : undefined
    if (looked && around) around = { ...around, session: looked.session, turn: looked.turn }
    for (const stored of found.filter(({ turn }) => turn === own)) {
      events.push(stored)
      const text = stored.event.type === 'text' ? stored.event.text : undefined
      if (around) await tell?.({ text, told: eventView(stored, around) })
    }
    if (looked && isOver(looked, own)) return { events, page: looked }
  }
  return { events, page: await look(own) }
}

/** A prompt begins its turn, or is read by one that goes on. */
function isOf({ event }: StoredEvent, { promptId, queued }: Said): boolean {
  const type = queued ? 'prompt.echoed' : 'prompt.accepted'
  return event.type === type && event.promptId === promptId
}

const MAY_END: ReadonlySet<string> = new Set(['turn.ended', 'run.ended', 'prompt.withdrawn'])

function isOver({ session, turn }: TurnPage, own: number | undefined): boolean {
  const atWork = session.status === 'running' || session.status === 'waiting'
  return !atWork || (own !== undefined && turn.lastSeq !== undefined)
}

function ofType<T extends 'turn.ended' | 'tool.refused'>(events: readonly StoredEvent[], type: T) {
  return events.map(({ event }) => event).filter((event): event is EventOf<T> => event.type === type)
}
