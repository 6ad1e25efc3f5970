import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import { strictFields } from '../../base/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'

const text = (field: string) => z.string(`${field} must be text.`).min(1, `${field} may not be empty.`)

/** A child asks with this. The CLI fixes the names, and reads the answer from one text: an error is not an answer. */
export const permit = defineOperation({
  name: 'loopback.permit',
  title: 'Ask for permission',
  description:
    'Asks the responsible answerer of this session whether a tool may be used, and waits for the answer.',
  input: strictFields({
    tool_name: text('tool_name'),
    input: z.record(z.string(), z.unknown(), 'input must be an object.'),
    tool_use_id: text('tool_use_id'),
    session_id: text('session_id')
      .optional()
      .describe('LOOPBACK_SESSION_ID; it must be the session of the token.'),
  }),
  waits: true,
  run: async ({ engine, call: { caller }, gone, closing }, { tool_name, input, tool_use_id, session_id }) => {
    if (!engine.ask)
      throw new AppError(
        'invalid_input',
        'A child must ask the hub itself, at /mcp or /rpc, with its own token.',
      )
    if (session_id !== undefined && session_id !== caller.name)
      throw new AppError(
        'forbidden',
        'A session asks only for itself, and this token belongs to another session.',
      )
    const asked = { toolName: tool_name, input, toolUseId: tool_use_id }
    return engine.ask({ caller, signal: closing }, asked, gone ?? new AbortController().signal)
  },
})
