/** A session whose turn has ended is woken by the question and by the end of one that it started with wakeParent. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { isFull } from '../../rig/cli/real-cli.ts'
import { tokenOf } from '../../rig/hubs/session-token.ts'

const PATIENCE_MS = 60_000
vi.setConfig({ testTimeout: 2 * PATIENCE_MS })

const [TOP, MIDDLE, LOW] = ['TASK-TOP', 'TASK-MIDDLE', 'TASK-LOW'] as const
const NAME = 'low "one"'
const isOf = ({ kind, body }: ModelRequest, task: string) =>
  kind === 'main' && JSON.stringify(body.messages[0]).includes(task)
const call = (name: string, input: object) => tools(use(`mcp__plexus__${name}`, input))
const isWoken = ({ lastUserText }: ModelRequest) => lastUserText.includes('Plexus: session')

/** Each starts the one below and ends its turn; the middle allows what it is woken for. */
function script(request: ModelRequest): Reply {
  const { toolResults, lastUserText } = request
  const [result] = toolResults
  if (isOf(request, LOW)) return result ? say('low: made it') : tools(use('Bash', { command: 'touch made' }))
  if (result) {
    const { sessionId, pendingQuestion } = JSON.parse(result.text) as Partial<StatusView>
    return pendingQuestion && isOf(request, MIDDLE)
      ? call('claude_respond', { sessionId, id: pendingQuestion.id, answers: ['allow'] })
      : say('so far')
  }
  if (isOf(request, 'TASK-NONE')) return say('so far')
  if (isWoken(request)) {
    const [, sessionId] = /([0-9a-f]{8}-[0-9a-f-]{27})\)/.exec(lastUserText) ?? []
    return call('claude_status', { sessionId, waitSeconds: 0 })
  }
  const start = { waitSeconds: 0, workingDirectory: undefined }
  return isOf(request, TOP)
    ? call('claude_start', { ...start, prompt: MIDDLE, nested: true })
    : call('claude_start', { ...start, prompt: LOW, name: NAME, wakeParent: true })
}

async function begin(): Promise<{ place: HubPlace; hub: Hub }> {
  const place = await hubPlace({ scenario: { main: script } })
  const hub = await place.start()
  const options = { workingDirectory: place.project, nested: true }
  const top = await hub.call<Session>('createSession', { options, content: TOP })
  place.sessions.add(top.id)
  return { place, hub }
}

async function family(hub: Hub): Promise<{ middle: Session; low: Session }> {
  const all = await hub.call<Session[]>('listSessions')
  const low = all.find(({ name }) => name === NAME)
  const middle = all.find(({ id }) => id === low?.parentId)
  if (!middle || !low) throw new Error('They are not there yet.')
  return { middle, low }
}

async function eventsOf(hub: Hub, sessionId: string): Promise<SessionEvent[]> {
  const { events } = await hub.call<Page>('readEvents', { sessionId, limit: 1_000 })
  return events.map(({ event }) => event)
}

/** What the middle was woken with, once its turn after the end of the low one has ended. */
const wakeUps = (hub: Hub): Promise<EventOf<'prompt.accepted'>[]> =>
  eventually(async () => {
    const { middle, low } = await family(hub)
    const events = await eventsOf(hub, middle.id)
    const ends = events.filter(({ type }) => type === 'turn.ended').length
    if (low.status !== 'done' || middle.status !== 'done' || ends < 3) throw new Error('It goes on.')
    return events.filter(
      (event) => event.type === 'prompt.accepted' && event.wakesFor !== undefined,
    ) as EventOf<'prompt.accepted'>[]
  }, PATIENCE_MS)

test('S46: a question and the end of a session each wake the one that started it once, with nothing that it wrote, and kill -9 of the hub neither loses nor doubles that', async () => {
  const { place, hub } = await begin()
  // The low one is about to ask, and nobody is there.
  await place.model.request((request) => isOf(request, LOW))
  await hub.kill('SIGKILL')
  const second = await place.start()
  // The prompt is on its way, and nobody is there again.
  await place.model.request((request) => isOf(request, MIDDLE) && isWoken(request))
  await second.kill('SIGKILL')
  const third = await place.start()
  const prompts = await wakeUps(third)
  const { low } = await family(third)
  const [opened] = (await eventsOf(third, low.id)).filter(({ type }) => type === 'approval.opened')
  const { approvalId } = opened as EventOf<'approval.opened'>
  const name = `${JSON.stringify(NAME)} (${low.id})`
  expect(prompts.map(({ content }) => content)).toEqual([
    `Plexus: session ${name} waits for an answer (question ${approvalId}, tool Bash); call claude_status.`,
    `Plexus: session ${name} has ended (done); call claude_status.`,
  ])
  expect(existsSync(join(place.project, 'made'))).toBe(true)
  expect((await eventsOf(third, low.id)).filter(({ type }) => type === 'approval.settled')).toMatchObject([
    { status: 'allowed', by: low.parentId, level: 0 },
  ])
})

/** A parent whose turn has ended, and a session that it has created below it and that nothing was said to. */
async function atRest(
  env: Record<string, string> = {},
): Promise<{ hub: Hub; parent: Session; child: Session }> {
  const place = await hubPlace({ scenario: { main: script }, env })
  const hub = await place.start()
  const options = { workingDirectory: place.project, nested: true }
  const parent = await hub.call<Session>('createSession', { options, content: 'TASK-NONE' })
  place.sessions.add(parent.id)
  await eventually(async () => {
    const { status } = await hub.call<Session>('getSession', { sessionId: parent.id })
    if (status !== 'done') throw new Error('It goes on.')
  }, PATIENCE_MS)
  const authorization = `Bearer ${(await tokenOf(place, hub, parent.id)).token}`
  const child = await hub.call<Session>('createSession', { options: { wakeParent: true } }, { authorization })
  place.sessions.add(child.id)
  return { hub, parent, child }
}

/** What the child asks, and the parent as it is by then. */
async function asked(
  hub: Hub,
  { parent, child }: { parent: Session; child: Session },
  isThere: (asked: PendingQuestion) => boolean,
) {
  await hub.call('startTurn', { sessionId: child.id, content: LOW })
  const question = await eventually(async () => {
    const [found] = await hub.call<PendingQuestion[]>('pending', { sessionId: child.id })
    if (!found || !isThere(found)) throw new Error('Not yet.')
    return found
  }, PATIENCE_MS)
  return { question, parent: await hub.call<Session>('getSession', { sessionId: parent.id }) }
}

test.runIf(isFull)(
  'S46: one that was stopped is not woken; where nobody is above wakeParent is refused',
  async () => {
    const { hub, ...both } = await atRest()
    await hub.call('stopSession', { sessionId: both.parent.id })
    const { question, parent } = await asked(hub, both, () => true)
    await hub.call('answer', { approvalId: question.id, approve: true })
    await eventually(async () => {
      const { status } = await hub.call<Session>('getSession', { sessionId: both.child.id })
      if (status !== 'done') throw new Error('It goes on.')
    }, PATIENCE_MS)
    expect(await hub.call('getSession', { sessionId: parent.id })).toMatchObject({ turn: 1, stopped: true })
    await expect(hub.call('createSession', { options: { wakeParent: true } })).rejects.toThrow(
      /wakeParent is only for/,
    )
  },
)

test.runIf(isFull)(
  'S46: where there is no place for its process the question goes to the next above, and says why',
  async () => {
    const { hub, ...both } = await atRest({ MAX_SESSIONS: '1' })
    const { question, parent } = await asked(hub, both, ({ escalations = [] }) => escalations.length > 0)
    expect(question.escalations).toMatchObject([
      { by: 'plexus', to: 'owner', note: expect.stringContaining('MAX_SESSIONS') },
    ])
    expect(parent).toMatchObject({ turn: 1, status: 'done' })
  },
)
