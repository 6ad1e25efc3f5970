import type { Approval, Settlement } from '../../src/approvals/approval.ts'
import type { Grant } from '../../src/approvals/grants/grant.ts'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import type { Step } from '../../src/sessions/record/journal.ts'
import type { Run, Session, Turn } from '../../src/sessions/record/session.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import type { TreeNode } from '../../src/tree/tree-node.ts'
import { branded, type PlainIds } from '../rig/tools/ids.ts'

export const RUN = branded<Run>({ id: 'r1', sessionId: 's1', folder: '/runs/r1', offset: 0, startedAt: 3 })
export const TURN = branded<Turn>({ sessionId: 's1', number: 1, promptId: 'p1', firstSeq: 1 })
export const NODE = branded<TreeNode>({
  id: 'n1',
  sessionId: 's1',
  turn: 1,
  title: 'Hello',
  cliSessionId: 's1',
  at: 4,
})
export const GRANT = branded<Grant>({
  id: 'g1',
  sessionId: 's1',
  approvalId: 'a1',
  scope: 'session',
  rules: [{ id: 'g1', effect: 'allow', tool: ['Bash'], session: ['s1'] }],
  by: 'operator',
  at: 7,
})
export const ALLOW = branded<Settlement>({
  approvalId: 'a1',
  status: 'allowed',
  decision: { behavior: 'allow', updatedInput: { command: 'ls' } },
  by: 'operator',
})

export function aSession(fields: Partial<PlainIds<Session>> = {}): Session {
  const id = fields.id ?? 's1'
  return branded<Session>({
    id,
    owner: 'operator',
    workingDirectory: '/project',
    config: StartOptions.parse({ model: 'sonnet' }),
    origin: { kind: 'new' },
    timeoutMs: 0,
    answerers: 'anyone',
    cliSessionId: id,
    createdAt: 1,
    status: 'idle',
    turn: 0,
    lastSeq: 0,
    costUsd: 0,
    updatedAt: 1,
    ...fields,
  })
}

export function anApproval(fields: Partial<PlainIds<Approval>> = {}): Approval {
  const id = fields.id ?? 'a1'
  return branded<Approval>({
    id,
    sessionId: 's1',
    turn: 1,
    kind: 'tool',
    toolName: 'Bash',
    input: { command: `echo ${id}` },
    inputSha256: 'ab',
    requestId: `request-${id}`,
    toolUseId: `toolu-${id}`,
    carrier: 'control',
    openedAt: 5,
    status: 'pending',
    delivery: 'none',
    ...fields,
  })
}

/** A step with so many events. */
export function aStep(events: number, fields: Partial<PlainIds<Step>> = {}): Step {
  return branded<Step>({
    sessionId: 's1',
    at: 10,
    events: Array.from({ length: events }, (_, at) => ({
      turn: 1,
      event: { type: 'text' as const, text: `event ${at}` },
    })),
    ...fields,
  })
}

export function opened(store: Store, ...approvals: Approval[]): Promise<number> {
  return store.journal.append(aStep(1, { opened: approvals }))
}

export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

export async function seqsOf(store: Store, after: number, limit: number): Promise<number[]> {
  return (await store.events.read('s1', after, limit)).map(({ seq }) => seq)
}

/** The first and the last seq of a session; 1 and 0 when nothing has happened. */
export async function rangeOf(store: Store, id: string): Promise<{ first: number; last: number }> {
  const [first] = await store.events.read(id, 0, 1)
  return { first: first?.seq ?? 1, last: (await store.sessions.get(id))?.lastSeq ?? 0 }
}
