/** A home folder with a session of every kind in it, made by an earlier version of ours: what a later one must open. */
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { firstUserText, type ModelRequest } from '../../../src/demo/model-request.ts'
import { type Message, type Reply, type Scenario, say, tools, use } from '../../../src/demo/scenario.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../tools/eventually.ts'
import type { Hub, HubPlace } from './hub.ts'
import { startMcp } from '../clients/mcp-process.ts'

/** Those of one line are made one after the other, for the second needs the first. */
const TOGETHER = [
  /** Nothing was said to it yet. */
  ['idle'],
  /** With a grant, and a process that waits for more; and a fork of it. */
  ['done', 'forked'],
  /** Belongs to a client, and has a question. */
  ['waiting'],
  ['running'],
  /** Asks over HTTP. */
  ['interrupted'],
  ['failed'],
  /** The second was started by the first. */
  ['nested', 'stopped'],
] as const
export type Name = (typeof TOGETHER)[number][number]
/** What the sessions are called. The scripted model knows them by their first prompt. */
export const SESSIONS: readonly Name[] = TOGETHER.flat()

export const CLIENT = 'alice'
/** Has read so many events of `done`. */
export const READER = 'slow'
export const READ = 2
const MADE = 'echo made >> made'
/** The CLI suggests a rule for the first, by which it would not ask about the second. */
export const GRANTED = 'touch a'
export const WIDER = 'touch a c'
export const REPLY = 'That is all.'

export const oldHomeScenario: Scenario = { main: replyTo }

function replyTo(request: ModelRequest): Reply {
  const { body, lastUserText, toolResults } = request
  const first = firstUserText(body)
  const begins = (name: Name) => first.startsWith(taskOf(name))
  const asked = toolResults.length === 0
  if (lastUserText.startsWith('Run ') && asked) return run(lastUserText.slice(4).split('\n')[0] ?? '')
  if (lastUserText.startsWith('Go on')) return say(REPLY)
  if ((begins('waiting') || begins('done')) && asked) return run(begins('waiting') ? MADE : GRANTED)
  if (begins('running') || begins('interrupted')) return { hang: true }
  if (begins('failed')) return { status: 400, message: 'no' }
  if (begins('nested') && asked) return tools(use('mcp__plexus__claude_start', BELOW))
  return say(REPLY)
}

const run = (command: string): Message => tools(use('Bash', { command }))
const BELOW = { prompt: 'Go on by yourself.', name: 'stopped', waitSeconds: 50 }
const taskOf = (name: Name) => `The task of ${name}.`

/** Makes these sessions, and returns when each has come to where its name says. */
export async function fillHome(place: HubPlace, hub: Hub, names = SESSIONS): Promise<void> {
  const make = makersFor(place, hub)
  await Promise.all(
    TOGETHER.map(async (line) => {
      for (const name of line) if (names.includes(name)) await make[name]()
    }),
  )
}

function makersFor(place: HubPlace, hub: Hub): Record<Name, () => Promise<unknown>> {
  const track = ({ id }: Session) => void place.sessions.add(id)
  const create = async (name: Name, more: object = {}) => {
    const options = { workingDirectory: place.project, name, ...more }
    track(await hub.call<Session>('createSession', { options }))
  }
  const begin = async (name: Name, more: object = {}) => {
    await create(name, more)
    await hub.call('startTurn', { sessionId: name, content: taskOf(name) })
  }
  const rest = (name: Name) => hub.call('waitFor', { sessionIds: [name], seconds: 50 })
  return {
    idle: () => create('idle'),
    done: async () => {
      await begin('done')
      await rest('done')
      const [asked] = await hub.call<PendingQuestion[]>('pending', { sessionId: 'done' })
      await hub.call('answer', { approvalId: asked?.id, answers: ['allow'], remember: 'session' })
      await rest('done')
      await hub.call('readEvents', { sessionId: 'done', reader: READER, limit: READ })
    },
    forked: async () => {
      track(await hub.call<Session>('fork', { sessionId: 'done', name: 'forked' }))
      await hub.call('startTurn', { sessionId: 'forked', content: 'Go on elsewhere.' })
      await rest('forked')
    },
    waiting: async () => {
      const client = await startMcp(place, '--as', CLIENT)
      const start = { name: 'waiting', prompt: taskOf('waiting'), waitSeconds: 50 }
      const { sessionId } = await client.call<{ sessionId: string }>('claude_start', start)
      place.sessions.add(sessionId)
    },
    running: async () => {
      await begin('running')
      await heard(place, 'running')
    },
    interrupted: async () => {
      await begin('interrupted', { carrier: 'mcp' })
      await heard(place, 'interrupted')
      await hub.call('interrupt', { sessionId: 'interrupted' })
      await rest('interrupted')
    },
    failed: async () => {
      await begin('failed')
      await rest('failed')
    },
    nested: async () => {
      await begin('nested', { nested: true })
      await rest('nested')
    },
    stopped: async () => track(await hub.call<Session>('stopSession', { sessionId: 'stopped' })),
  }
}

/** Until the model was asked by this session. */
async function heard({ model }: HubPlace, name: Name): Promise<void> {
  await eventually(() => {
    const isHeard = model.requests.some(({ body }) => firstUserText(body).startsWith(taskOf(name)))
    if (!isHeard) throw new Error(`The model has not received ${name}.`)
  })
}
