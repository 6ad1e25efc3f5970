import { z } from 'zod'
import { strictFields } from '../../base/input-fields.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../operation/plexus-operation.ts'
import { standing, Standing } from './view.ts'

export const interrupt = definePlexusOperation({
  name: 'claudecode.interrupt',
  title: 'Interrupt a session',
  description:
    'Ends what a session is doing now, like Escape in Claude Code; its open questions are withdrawn and prompts that wait are taken back. claudecode.chat_async goes on with it.',
  input: strictFields(ONE_SESSION),
  output: Standing.extend({ type: z.literal('ok') }),
  hints: { idempotentHint: true },
  run: async ({ engine, who }, named) => {
    const before = await engine.getSession(who, { sessionId: sessionNamed(named) })
    const session = await engine.interrupt(who, { sessionId: before.id })
    // The child has not ended its turn yet, but it will: it has heard of it.
    const wasAtWork = before.status === 'running' || before.status === 'waiting'
    return { type: 'ok' as const, ...standing(wasAtWork ? { ...session, status: 'interrupted' } : session) }
  },
})
