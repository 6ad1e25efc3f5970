import { z } from 'zod'
import { definedFields } from '../../base/defined-fields.ts'
import { definePlexusOperation } from '../operation/plexus-operation.ts'
import { joinHints } from '../claude/hints.ts'
import { movedHint, withOptions } from '../operation/options-field.ts'
import { asProgram, CREATE_PLACES, CREATE_SHAPE, createSessionInput } from './create-input.ts'
import { headOf, Position } from './session-view.ts'

export const create = definePlexusOperation({
  name: 'claudecode.create',
  title: 'Create a Claude Code session',
  description:
    'Creates a Claude Code session without starting it, and returns its id. With loopback_enabled: true it asks you before it does what it may not do unasked: start it with claudecode.chat_async, follow it with claudecode.poll, answer with loopback.respond. ' +
    'Without loopback_enabled nobody is asked and what would be asked is refused; then claudecode.chat works too.',
  ...withOptions(CREATE_SHAPE, CREATE_PLACES),
  output: z.looseObject({ type: z.literal('created'), id: z.string(), head: Position }),
  run: async (context, { moved, ...input }) => {
    const { engine, call } = context
    const session = await engine.createSession(asProgram(call), createSessionInput(context, input))
    const { id, notLoaded } = session
    return {
      type: 'created' as const,
      id,
      head: await headOf(context, session),
      ...definedFields({ not_loaded: notLoaded, hint: joinHints(context.notice?.(), movedHint(moved)) }),
    }
  },
})
