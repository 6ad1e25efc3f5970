import type { VerbName } from '../engine/verbs.ts'
import type { Caller } from '../callers/access-rules.ts'
import { asksOnly } from '../callers/scopes.ts'
import { AppError } from '../base/errors.ts'
import { interrupt } from './claude/interrupt.ts'
import { list } from './claude/list.ts'
import { respond } from './claude/respond.ts'
import { say } from './claude/say.ts'
import { start } from './claude/start.ts'
import { status } from './claude/status.ts'
import { chatAsync } from './claudecode/chat-async.ts'
import { chat } from './claudecode/chat.ts'
import { create } from './claudecode/create.ts'
import { fork } from './claudecode/fork.ts'
import { interrupt as interruptSession } from './claudecode/interrupt.ts'
import { poll } from './claudecode/poll.ts'
import { stop } from './claudecode/stop.ts'
import { streams } from './claudecode/streams.ts'
import { tree } from './claudecode/tree.ts'
import { configure } from './loopback/configure.ts'
import { decisions } from './loopback/decisions.ts'
import { pending } from './loopback/pending.ts'
import { permit } from './loopback/permit.ts'
import { respond as respondTo } from './loopback/respond.ts'
import { wait } from './loopback/wait.ts'
import { escalate } from './loopback/escalate.ts'
import { type Operation, toolNameOf } from './operation/operation.ts'

/** The six `claude_*` tools. */
const CLAUDE_FAMILY: readonly Operation[] = [start, say, status, respond, interrupt, list]
/** The `claudecode.*` and `loopback.*` operations. */
const LOOPBACK_FAMILY: readonly Operation[] = [
  create,
  chat,
  chatAsync,
  poll,
  streams,
  fork,
  tree,
  interruptSession,
  stop,
  respondTo,
  pending,
  decisions,
  wait,
  escalate,
  configure,
]

export const TOOLSETS = ['claude', 'plexus', 'all'] as const
export type Toolset = (typeof TOOLSETS)[number]

export const OPERATIONS: readonly Operation[] = [...CLAUDE_FAMILY, ...LOOPBACK_FAMILY]

/** A child is offered only what it may do: to ask, and, if it is nested, to supervise the sessions below it. */
export function operationsFor(
  caller: Pick<Caller, 'kind' | 'scopes'>,
  toolset: Toolset,
): readonly Operation[] {
  if (asksOnly(caller)) return [permit]
  const offered = { claude: CLAUDE_FAMILY, plexus: LOOPBACK_FAMILY, all: OPERATIONS }[toolset]
  return caller.kind === 'session' ? [permit, ...offered] : offered
}

/** The operation with this method name; undefined if there is none. */
export function operationNamed(method: string): Operation | undefined {
  return [permit, ...OPERATIONS].find(({ name }) => name === method)
}

const BY_TOOL: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((one) => [toolNameOf(one), one]))

/** The operation that a tool stands for. What a child asks with is none of these: it has a way of its own. */
export function operationOfTool(tool: string): Operation | undefined {
  return BY_TOOL.get(tool)
}

/** A child that is not nested may only ask, and have its calls judged, so that its token is of no other use. */
export function requireOffered(caller: Pick<Caller, 'kind' | 'scopes'>, method: string): void {
  if (asksOnly(caller) && method !== permit.name && method !== JUDGE)
    throw new AppError(
      'forbidden',
      `A child session may ask (${permit.name}) and nothing else, unless it was created as nested.`,
    )
}

/** A verb that is no operation: the hook of a claude of plexus run calls it. */
const JUDGE: VerbName = 'judgeCall'
