import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import type { Crash } from '../../programs/supervisor.ts'
import { evolve } from '../../../src/sessions/record/evolve-session.ts'
import { initialSessionState, statusOf } from '../../../src/sessions/record/session-state.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Supervised, supervise } from '../../rig/hubs/supervised.ts'

const KILLS = Number(process.env['PLEXUS_LONG'] ?? 6)
const PER_STORY = 3

const append = (text: string) => use('Bash', { command: `echo ${text} >> ran.txt` })
const agent = use('Agent', { description: 'd', prompt: 'AGENT go', subagent_type: 'general-purpose' })
const scenario = {
  main: [
    tools({ type: 'text', text: 'some words before the first call ', chunkMs: 5 }, append('a')),
    tools(append('b')),
    tools(agent),
    { blocks: [{ type: 'text' as const, text: 'many more words at the end of it', chunkMs: 5 }] },
  ],
  agents: { AGENT: [tools(append('agent')), say('agent done')] },
}

/** Often enough in the story that nearly every switch is met. */
const points: Crash['point'][] = ['before-commit', 'after-commit', 'after-put']
const events: SessionEvent['type'][] = [
  'prompt.echoed',
  'turn.started',
  'text.streamed',
  'tool.used',
  'tool.seen',
  'approval.opened',
  'approval.settled',
  'tool.finished',
  'turn.ended',
]

/** mulberry32: the same seed gives the same kills. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const seeds = Array.from({ length: Math.ceil(KILLS / PER_STORY) }, () => Math.floor(Math.random() * 2 ** 31))

test.each(seeds)(
  'R3 R27 I6: killed at random moments of a story (seed %i), the record is the output and each tool ran once',
  async (seed) => {
    const random = randomFrom(seed)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const crashes = Array.from({ length: PER_STORY }, (): Crash => ({
      point: pick(points),
      event: pick(events),
      nth: 1 + Math.floor(random() * 3),
    }))
    process.stdout.write(`seed ${seed}: ${JSON.stringify(crashes)}\n`)
    const session = await supervise({ scenario, answer: 'allow', crash: crashes[0]! })
    const lives = new Lives(session, crashes.slice(1))

    await lives.until(() => session.all('turn.ended').length > 0 && atRest(session))
    await lives.until(async () => {
      if (session.all('prompt.accepted').length < 2) await session.say('and on')
      return session.all('prompt.accepted').length > 1 && atRest(session)
    })
    await session.kill() // a switch that was never met goes with it
    await session.start()
    await session.stop()
    await session.event('run.ended')
    expect(Array.from(session.events).includes(undefined as never)).toBe(false)
    expect(session.all('run.started')).toHaveLength(1)
    const ran = await readFile(join(session.project, 'ran.txt'), 'utf8')
    expect(ran.split('\n').toSorted()).toEqual(['', 'a', 'agent', 'b'])
    const output = await session.eventsOfOutput()
    expect(session.recordOfOutput().map(plain)).toEqual(output.map(plain))
  },
  60_000,
)

/** A supervisor that is started again, with its next crash switch, whenever the last one was met. */
class Lives {
  readonly #session: Supervised
  readonly #crashes: Crash[]
  #dead = false

  constructor(session: Supervised, crashes: Crash[]) {
    this.#session = session
    this.#crashes = crashes
    this.#watch()
  }

  async until(reached: () => boolean | Promise<boolean>): Promise<void> {
    await eventually(async () => {
      if (this.#dead) await this.#startAgain()
      if (!(await reached())) throw new Error('The story did not come to its end.')
    }, 50_000)
  }

  async #startAgain(): Promise<void> {
    const crash = this.#crashes.shift()
    await this.#session.start(crash ? { crash } : {})
    this.#watch()
  }

  #watch(): void {
    this.#dead = false
    void this.#session.ended().finally(() => {
      this.#dead = true
    })
  }
}

const atRest = ({ events: all }: Supervised): boolean =>
  statusOf(all.reduce(evolve, initialSessionState)) === 'done'

/** Without what depends on the moment: the opinion of our hook, and what is known only when a question is stored. */
const plain = (event: object) => ({ ...event, opinion: undefined, askedAt: undefined, held: undefined })
