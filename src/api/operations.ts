import { asksOnly, type Caller } from '../callers/access-rules.ts'
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
import type { Operation } from './operation/operation.ts'

/** The six tools of family A. */
const CLAUDE: readonly Operation[] = [start, say, status, respond, interrupt, list]
/** Family B. */
const PLEXUS: readonly Operation[] = [
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

export const OPERATIONS: readonly Operation[] = [...CLAUDE, ...PLEXUS]

/** What a caller is offered. A child is offered what it may do: to ask, and, if it is nested, its own sub-tree. */
export function operationsFor(
  caller: Pick<Caller, 'kind' | 'scopes'>,
  toolset: Toolset,
): readonly Operation[] {
  if (asksOnly(caller)) return [permit]
  const offered = { claude: CLAUDE, plexus: PLEXUS, all: OPERATIONS }[toolset]
  return caller.kind === 'session' ? [permit, ...offered] : offered
}

/** What the method of a call means; undefined where it is no operation. */
export function operationNamed(method: string): Operation | undefined {
  return [permit, ...OPERATIONS].find(({ name }) => name === method)
}

/** A child that is not nested asks, whatever else its token could be used for. */
export function requireOffered(
  caller: Pick<Caller, 'kind' | 'scopes'>,
  operation: Operation | undefined,
): void {
  if (asksOnly(caller) && operation !== permit)
    throw new AppError(
      'forbidden',
      `A child session may ask (${permit.name}) and nothing else, unless it was created as nested.`,
    )
}
