import { folderAndId, type Unnamed } from '../text/session-title.ts'
import { visibleText } from '../text/visible-text.ts'
import { type Asker, asksPerson } from '../approvals/floods/asks-person.ts'
import type { Approval } from '../approvals/approval.ts'

/** Why a person is notified. Each is switched on by itself. */
export const NOTICE_REASONS = ['question', 'expiring', 'budget', 'failed', 'done'] as const
export type NoticeReason = (typeof NOTICE_REASONS)[number]

/** A short message on a device of a person. It names the session and the tool, and never what the tool is called with. */
export interface Notice {
  /** A notice with a key is shown once, whichever way it arrives. */
  readonly key: string
  /** A notice takes the place of the one with the same tag. */
  readonly tag: string
  readonly reason: NoticeReason
  readonly title: string
  readonly body: string
  readonly sessionId: string
  /** What a denial is bound to; absent where nothing is asked. */
  readonly question?: { readonly id: string; readonly inputSha256: string }
}

/** What a device is sent: something to show, or a question that is settled. */
export type NoticeMessage =
  | { readonly type: 'show'; readonly notice: Notice }
  | { readonly type: 'withdraw'; readonly tag: string }

type Named = Unnamed & { readonly name?: string | undefined }
type Asked = Pick<Approval, 'id' | 'kind' | 'toolName' | 'inputSha256'>

export function noticeOfQuestion(session: Named, { id, kind, toolName, inputSha256 }: Asked): Notice {
  if (kind === 'budget') return noticeOfBudget(session, id)
  const wants = {
    tool: `It wants to use ${short(toolName)}.`,
    plan: 'It has a plan to approve.',
    question: 'It has a question.',
    form: `It wants a form filled in (${short(toolName)}).`,
  }[kind]
  return {
    key: id,
    tag: id,
    reason: 'question',
    title: `${nameOf(session)} asks`,
    body: wants,
    sessionId: session.id,
    question: { id, inputSha256 },
  }
}

/** Without a denial: it would stop all sessions below too, which is for a person who has read how much was spent. */
function noticeOfBudget(session: Named, id: string): Notice {
  return {
    key: id,
    tag: id,
    reason: 'budget',
    title: `${nameOf(session)} has used most of its budget`,
    body: 'Raise it, continue, or stop? The work continues meanwhile.',
    sessionId: session.id,
  }
}

/** A session that a person started asks its person at once. Others ask a model first, which mostly answers within seconds. */
export function isForPerson(asker: Asker, { openedAt }: { readonly openedAt: number }, now: number): boolean {
  return asksPerson(asker) || now - openedAt >= MODEL_FIRST_MS
}

const MODEL_FIRST_MS = 20_000

/** Once for each time limit: a question that got more time may expire again. */
export function noticeOfExpiry(session: Named, asked: Asked & { readonly expiresAt: number }): Notice {
  const notice = noticeOfQuestion(session, asked)
  return {
    ...notice,
    key: `${asked.id} ${asked.expiresAt}`,
    reason: 'expiring',
    title: `${nameOf(session)} still asks`,
    body: `${notice.body} Without an answer it soon expires.`,
  }
}

/** A session that another one started is reported to that one, and not to a person. */
export function noticeOfEnd(session: Named & Ended): Notice | undefined {
  const { id, status, turn, parentId } = session
  if (parentId !== undefined || (status !== 'done' && status !== 'failed')) return undefined
  return {
    key: `${id} ${turn}`,
    tag: id,
    reason: status,
    title: `${nameOf(session)} ${status === 'done' ? 'is done' : 'failed'}`,
    body: status === 'done' ? 'Its turn has ended.' : 'Its turn has failed.',
    sessionId: id,
  }
}

interface Ended {
  readonly status: string
  readonly turn: number
  readonly parentId?: string | undefined
}

/** Whether most of its time is over: a fifth is left, as where a question is shown with its time. */
export function isExpiring(
  { openedAt, expiresAt }: { readonly openedAt: number; readonly expiresAt?: number | undefined },
  now: number,
): boolean {
  return expiresAt !== undefined && expiresAt - now <= (expiresAt - openedAt) * SHORT
}

const SHORT = 0.2
const MAX_NAME = 60

/** Never by its first prompt, as on the page: that is input. */
function nameOf({ name, ...session }: Named): string {
  return short(name ?? folderAndId(session))
}

/** Names are chosen by models too: nothing in them is hidden, and none fills the screen. */
function short(text: string): string {
  const visible = visibleText(text.slice(0, MAX_NAME).replaceAll('\n', ' '))
  return text.length > MAX_NAME ? `${visible}…` : visible
}
