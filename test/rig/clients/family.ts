/** A family of sessions without a process among them, and everybody who could want something of the youngest. */
import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { type App, createApp } from '../../../src/assembly/app.ts'
import { homeRules, homeRulesFile } from '../../../src/hub/rules-files.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { AppError } from '../../../src/base/errors.ts'
import { Devices } from '../../../src/devices/devices.ts'
import { DeviceNotices } from '../../../src/notices/device-notices.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { aSession, GRANT, aStep, anApproval, NODE } from '../../contracts/rows.ts'
import { temporaryFolder } from '../cli/real-cli.ts'
import { asApprovalId, asCallerId, asSessionId, type PlainIds } from '../tools/ids.ts'

const ids = {
  grandparent: asSessionId('00000000-0000-4000-8000-000000000001'),
  parent: asSessionId('00000000-0000-4000-8000-000000000002'),
  child: asSessionId('00000000-0000-4000-8000-000000000003'),
  sibling: asSessionId('00000000-0000-4000-8000-000000000004'),
}
export const CHILD = ids.child
export const QUESTION = asApprovalId('00000000-0000-8000-8000-00000000000a')

const session = (name: string, scopes: string[] = []): Caller => ({
  id: asCallerId(`caller-${name}`),
  kind: 'session',
  name,
  scopes,
  person: false,
})
const client = (name: string): Caller => ({
  id: asCallerId(name),
  kind: 'client',
  name,
  scopes: [],
  person: false,
})

const device = (scope: string): Caller => ({
  id: asCallerId(`device ${scope}`),
  kind: 'device',
  name: scope,
  scopes: [scope],
  person: true,
})

export const CALLERS = {
  operator: {
    id: asCallerId('operator'),
    kind: 'operator',
    name: 'operator',
    scopes: ['bypass'],
    person: true,
  },
  owner: client('owner'),
  stranger: client('stranger'),
  itself: session(ids.child, ['nested']),
  parent: session(ids.parent, ['nested']),
  grandparent: session(ids.grandparent, ['nested']),
  sibling: session(ids.sibling, ['nested']),
  'device that reads': device('read'),
  'device that answers': device('answer'),
  'device that operates': device('operate'),
} satisfies Record<string, Caller>

export interface Family {
  readonly app: App
  readonly store: Store
  readonly project: string
}

/** The engine over a store, with no CLI to start anything with. */
export async function appWithoutCli(store: Store, home: string): Promise<App> {
  const app = await createApp({
    store,
    devices: new Devices(store, systemClock, { local: () => '', proxied: undefined }),
    notices: new DeviceNotices({
      store: store.notices,
      publicKey: async () => 'key',
      rules: { allowsLoopback: false },
    }),
    limits: { maxSessions: 10, idleMs: 600_000, maxOutputBytes: 64 << 20 },
    environment: {
      home,
      env: {},
      leaseSeconds: 600,
      trusted: () => [],
      findCli: () => Promise.reject(new AppError('cli_missing', 'There is no CLI here.')),
      transcriptOf: async () => undefined,
      openElsewhere: async () => undefined,
      rules: homeRules(home, { warn: () => {} }),
      rulesFile: homeRulesFile(home),
      onError: () => {},
    },
  })
  onTestFinished(() => app.close({ endChildren: false }))
  return app
}

/** The child waits for an answer and belongs to `owner`, the parent is at work; there is no CLI to start anything with. */
export async function aFamily(fields: Partial<PlainIds<Session>> = {}): Promise<Family> {
  const folder = await temporaryFolder()
  const project = join(folder, 'project')
  await mkdir(project)
  const store = await openMemoryStore()
  const app = await appWithoutCli(store, folder)
  const add = (one: Partial<PlainIds<Session>>) =>
    store.sessions.create(aSession({ workingDirectory: project, status: 'running', ...one }))
  await add({ id: ids.grandparent, owner: 'owner' })
  await add({ id: ids.parent, parentId: ids.grandparent, owner: CALLERS.grandparent.id })
  await add({ id: ids.sibling, parentId: ids.parent, owner: CALLERS.parent.id })
  const child = aSession({
    id: ids.child,
    parentId: ids.parent,
    owner: 'owner',
    workingDirectory: project,
    status: 'waiting',
    headNode: NODE.id,
    ...fields,
  })
  await add(child)
  const approval = anApproval({ id: QUESTION, sessionId: ids.child })
  const nodes = [{ ...NODE, sessionId: ids.child }]
  const turns = [{ sessionId: ids.child, number: 1, firstSeq: 1 }]
  const { id: approvalId, kind, requestId, toolName, input, toolUseId } = approval
  const event = { type: 'approval.opened', approvalId, kind, requestId, toolName, input, toolUseId } as const
  const events = [{ turn: 1, event }]
  await store.journal.append({
    ...aStep(0),
    sessionId: ids.child,
    session: child,
    events,
    opened: [approval],
    nodes,
    turns,
  })
  await store.journal.append(
    aStep(0, { sessionId: ids.child, granted: [{ ...GRANT, sessionId: ids.child }] }),
  )
  return { app, store, project }
}
