import { dirname, isAbsolute } from 'node:path'
import { z } from 'zod'
import { approvalIdOf, type SessionId } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { kindOf } from '../../child/lines/request-to-events.ts'
import type { Decision } from '../../events/decision.ts'
import type { EventOf } from '../../events/session-event.ts'

/** What a hook of the CLI gets on stdin before a dialog. Loose: newer versions add fields. */
const HookInput = z.object({
  hook_event_name: z.literal('PermissionRequest'),
  session_id: z.guid(),
  transcript_path: z.string().max(4_096).refine(isAbsolute),
  cwd: z.string().max(4_096),
  tool_name: z.string().min(1).max(500),
  tool_input: z.record(z.string(), z.unknown()),
  agent_id: z.string().max(200).optional(),
  permission_suggestions: z.array(z.unknown()).max(100).optional().catch(undefined),
})
export type HookInput = z.infer<typeof HookInput>

/** What the relay sends. */
export interface RelayedAsk {
  readonly hookInput: unknown
  readonly cliPid: number
  /** The same when the relay asks again. */
  readonly askId: string
}

const Pid = z.coerce.number().pipe(z.int().positive())
const AskId = z.string().regex(/^[\w.:-]{1,100}$/)

/** What the relay sends over HTTP; undefined if a part is missing or malformed. */
export function relayedAsk(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
): RelayedAsk | undefined {
  const cliPid = Pid.safeParse(headers['x-plexus-cli-pid']).data
  const askId = AskId.safeParse(headers['x-plexus-ask']).data
  if (cliPid === undefined || askId === undefined) return undefined
  try {
    return { hookInput: JSON.parse(body), cliPid, askId }
  } catch {
    return undefined
  }
}

/** What the hook prints. Without a decision it has no opinion, and the dialog stays as it is. */
export type HookReply =
  | Readonly<Record<string, never>>
  | {
      readonly hookSpecificOutput: {
        readonly hookEventName: 'PermissionRequest'
        readonly decision: object
      }
    }

export const NO_OPINION: HookReply = {}

/** Undefined for anything but a question that a person is about to be asked. */
export function readHookInput(hookInput: unknown): HookInput | undefined {
  return HookInput.safeParse(hookInput).data
}

/** The folder of the CLI's own files: the transcript lies in `projects/FOLDER` of it. */
export function configFolderOf({ transcript_path: path }: HookInput): string {
  return dirname(dirname(dirname(path)))
}

/** The id is derived from the relay's, so that a relay that asks again joins its question. */
export function openedBy(sessionId: SessionId, askId: string, input: HookInput): EventOf<'approval.opened'> {
  return {
    type: 'approval.opened',
    approvalId: approvalIdOf(sessionId, askId),
    requestId: askId,
    kind: kindOf(input.tool_name),
    carrier: 'terminal',
    toolName: input.tool_name,
    input: input.tool_input,
    cwd: input.cwd,
    ...definedFields({ agentId: input.agent_id, suggestions: input.permission_suggestions }),
  }
}

/** An allow always has its input: without it 2.1.325 ignores the answer to a plan or a question. */
export function replyOf(decision: Decision): HookReply {
  switch (decision.behavior) {
    case 'allow': {
      const { behavior, updatedInput, updatedPermissions } = decision
      return reply({ behavior, updatedInput, ...definedFields({ updatedPermissions }) })
    }
    case 'deny': {
      const { behavior, message, interrupt } = decision
      return reply({ behavior, message, ...definedFields({ interrupt }) })
    }
    case 'form':
    case 'budget':
      return NO_OPINION // no terminal asks these
  }
}

function reply(decision: object): HookReply {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }
}
